import { isOrigin, Targets } from '../../src/bullmq/targets.js';

const base = 'https://me:hunter2@api.example.com/v1/';
const targets = new Targets(base, ['http://other.example:8080']);

describe('a stored URL', () => {
  it.each([
    ['https://api.example.com/v1/orders', 'https://api.example.com/v1/orders'],
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTPS://API.example.com:443/x', 'https://api.example.com/x'],
    ['https://api.example.com?a=b@c', 'https://api.example.com?a=b@c'],
    [
      'https://api.example.com/a b/%7e/ü//(x)?q=[1]',
      'https://api.example.com/a b/%7e/ü//(x)?q=[1]',
    ],
    ['http://other.example:8080/x', 'http://other.example:8080/x'],
    ['/orders?a=1', 'https://api.example.com/v1/orders?a=1'],
    ['orders', 'https://api.example.com/v1/orders'],
    ['', 'https://api.example.com/v1'],
    ['/at:10', 'https://api.example.com/v1/at:10'],
  ])('goes where it may: %s', (url, sent) => {
    expect(targets.resolve(url)).toBe(sent);
  });

  it.each([
    ['https://evil.example/x', 'https://evil.example'],
    ['http://api.example.com/x', 'http://api.example.com'],
    ['https://api.example.com:8443/x', 'https://api.example.com:8443'],
    ['https://api.example.com.evil.example/', 'https://api.example.com.evil.example'],
    ['http://other.example/x', 'http://other.example'],
  ])('goes to no other origin: %s', (url, origin) => {
    const message = `Its origin is none that is allowed: ${origin}`;
    expect(() => targets.resolve(url)).toThrow(new Error(message));
  });

  it.each([
    '//evil.example/x',
    '///evil.example/x',
    'https:/evil.example/x',
    'https:evil.example',
    'https:///evil.example/x',
    'https://me:hunter2@api.example.com/x',
    'https://api.example.com@evil.example/x',
    'https://evil.example\\@api.example.com/x',
    '\\\\evil.example/x',
    '/\\evil.example/x',
    '/\t/evil.example/x',
    'https://api.exa\tmple.com/x',
    'https://api.example.com/x\r\nHost: evil.example',
    ' https://api.example.com/x',
    '\u0000https://api.example.com/x',
    'https://api.example.com/x#y',
    'https://api example.com/x',
    'https://[::1/x',
    'file:///etc/passwd',
    'data:text/plain,hunter2',
    'blob:https://api.example.com/x',
    'javascript:alert(1)',
    'ws://api.example.com/x',
    7,
    null,
    undefined,
    {},
    ['https://api.example.com/x'],
  ])('that can be read in two ways, or in none, goes nowhere and is not shown: %j', (url) => {
    expect(() => targets.resolve(url)).toThrow(
      new Error('Its `url` is no URL of http or https without userinfo and fragment'),
    );
  });

  it.each([undefined, '', '/api', 'nonsense', 'file:///etc', 'https://[', 7])(
    'that is relative goes nowhere where the base is %j',
    (baseURL) => {
      const others = new Targets(baseURL, ['https://a.example']);
      expect(others.resolve('https://a.example/x')).toBe('https://a.example/x');
      expect(() => others.resolve('/x')).toThrow('Its `url` is relative, the client has no base');
    },
  );
});

describe('targets', () => {
  it('are none where neither a base URL of http nor an origin is given', () => {
    expect(new Targets('file:///etc', []).areNone).toBe(true);
    expect(new Targets(undefined, []).areNone).toBe(true);
    expect(new Targets(undefined, ['https://a.example']).areNone).toBe(false);
    expect(targets.areNone).toBe(false);
  });
});

describe('an allowed origin', () => {
  it('is an origin of http or https, as URLs write it', () => {
    const good = ['https://a.example', 'http://127.0.0.1:8080', 'http://[::1]:8080'];
    const bad = [
      'a.example',
      'https://a.example/',
      'https://a.example/v1',
      'https://A.example',
      'https://a.example:443',
      'https://me@a.example',
      'https://*.example/',
      'ftp://a.example',
      'null',
      '*',
      '',
    ];
    expect([...good, ...bad].filter(isOrigin)).toEqual(good);
  });
});
