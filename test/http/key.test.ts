import fc from 'fast-check';
import { Faults } from '../../src/faults.js';
import type { RequestConfig } from '../../src/http/axios-like.js';
import { keyReader, type KeyFunction } from '../../src/http/key.js';

const read = (key: 'origin' | KeyFunction | undefined, config: RequestConfig = {}) => {
  const onFault = jest.fn();
  return { key: keyReader(key, new Faults(onFault))(config), onFault };
};

describe('the key of a request', () => {
  it('is default where no key is told', () => {
    expect(read(undefined, { url: 'http://a.example/' }).key).toBe('default');
  });

  it('is what the function says of the config', () => {
    const config = { url: '/x' };
    const key = jest.fn(() => 'tenant-1');
    expect(read(key, config).key).toBe('tenant-1');
    expect(key).toHaveBeenCalledWith(config);
  });

  const boom = new Error('boom');
  it.each<[string, () => unknown, unknown]>([
    [
      'throws',
      () => {
        throw boom;
      },
      boom,
    ],
    ['returns no string', () => 7, new TypeError('Expected `key` to return a string, got 7')],
    [
      'returns an empty string',
      () => '',
      new TypeError('Expected `key` to return a string, got ""'),
    ],
    [
      'returns a promise',
      () => Promise.resolve('a'),
      new TypeError('Expected `key` to return a string, got an object'),
    ],
  ])('is default, and a fault is reported, where the function %s', (_title, key, fault) => {
    const { key: found, onFault } = read(key as KeyFunction);
    expect(found).toBe('default');
    expect(onFault).toHaveBeenCalledWith(fault, 'key');
  });
});

describe('the key by origin', () => {
  it.each([
    [{ url: 'http://a.example/x' }, 'http://a.example'],
    [{ url: 'HTTP://A.example:80/' }, 'http://a.example'],
    [{ url: 'https://a.example:443/x?y=1' }, 'https://a.example'],
    [{ url: 'https://a.example:8443/x' }, 'https://a.example:8443'],
    [{ url: 'https://me:secret@a.example/x' }, 'https://a.example'],
    [{ url: '/x', baseURL: 'https://b.example/v1' }, 'https://b.example'],
    [{ url: 'https://a.example/x', baseURL: 'https://b.example' }, 'https://a.example'],
    [
      { url: 'https://a.example/x', baseURL: 'https://b.example', allowAbsoluteUrls: false },
      'https://b.example',
    ],
    [{ url: '//a.example/x', baseURL: 'https://b.example' }, 'http://a.example'],
    [{ url: 'http://[::1]:80/x' }, 'http://[::1]'],
    [{ url: 'http://bücher.example/' }, 'http://xn--bcher-kva.example'],
    [{ url: '/x', socketPath: '/run/api.sock' }, 'unix:/run/api.sock'],
    [{ url: 'http://a.example/x', socketPath: '' }, 'http://a.example'],
    [{ url: '/x' }, 'default'],
    [{}, 'default'],
    [{ url: 'http://[' }, 'default'],
  ])('of %j is %s', (config, key) => {
    expect(read('origin', config).key).toBe(key);
  });

  it('is the same however many were read before', () => {
    const keyOf = keyReader('origin', new Faults(jest.fn()));
    const hosts = Array.from({ length: 250 }, (_, index) => `http://Host-${index % 120}.example`);
    for (const host of hosts) {
      expect(keyOf({ url: `${host}:80/x` })).toBe(host.toLowerCase());
      expect(keyOf({ url: '/y', baseURL: host })).toBe(host.toLowerCase());
    }
  });

  it('is what a URL says, of anything that is written like one', () => {
    const keyOf = keyReader('origin', new Faults(jest.fn()));
    const part = fc.constantFrom(
      ...[
        'http',
        'HTTPS',
        'ws',
        ':',
        '//',
        '/',
        '\\',
        '?',
        '#',
        '@',
        'a.b',
        'me:pw',
        ':80',
        ':443',
      ],
      ...[
        '[::1]',
        '..',
        '1.2',
        '%41',
        'ü',
        ' ',
        '\t',
        '\u0000',
        'http://a',
        'https://b:',
        '999999',
      ],
    );
    const written = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(written, (url) => {
        const read = URL.canParse(url, 'http://nowhere.invalid');
        const { origin, protocol } = new URL(read ? url : 'x:', 'http://nowhere.invalid');
        const isNowhere = origin === 'null' || origin === 'http://nowhere.invalid';
        const expected = isNowhere || protocol === 'blob:' ? 'default' : origin;
        expect([keyOf({ url }), keyOf({ url })]).toEqual([expected, expected]);
      }),
      { numRuns: 2_000 },
    );
  });
});
