import { originReader, urlWithoutUserinfo } from '../src/request-url.js';

const secret = 'hunter2';

describe('the URL of a request without userinfo', () => {
  it.each([
    [{ url: 'https://a.example/x' }, 'https://a.example/x'],
    [{ url: '/x', baseURL: 'https://a.example/v1' }, 'https://a.example/v1/x'],
    [{ url: 'x', baseURL: 'https://a.example/v1///' }, 'https://a.example/v1/x'],
    [{ baseURL: 'https://a.example/v1' }, 'https://a.example/v1'],
    [{ url: '', baseURL: 'https://a.example/v1/' }, 'https://a.example/v1/'],
    [{ url: 'https://b.example/x', baseURL: 'https://a.example' }, 'https://b.example/x'],
    [{ url: '//b.example/x', baseURL: 'https://a.example' }, '//b.example/x'],
    [
      { url: 'https://b.example/x', baseURL: 'https://a.example', allowAbsoluteUrls: false },
      'https://a.example/https://b.example/x',
    ],
    [{ url: new URL('https://a.example/x?y=1') }, 'https://a.example/x?y=1'],
    [{ url: '/x' }, '/x'],
    [{ url: 'x?y=1' }, 'x?y=1'],
    [{ url: '/x', baseURL: '/api' }, '/api/x'],
    [{}, ''],
  ])('of %j is %s', (config, url) => {
    expect(urlWithoutUserinfo(config)).toBe(url);
  });

  it('ends where a fragment begins', () => {
    expect(urlWithoutUserinfo({ url: 'https://a.example/x?y=1#z?z#' })).toBe(
      'https://a.example/x?y=1',
    );
    expect(urlWithoutUserinfo({ url: '/x#z', baseURL: 'https://a.example' })).toBe(
      'https://a.example/x',
    );
  });

  it('is otherwise what was written, to the letter', () => {
    const url = "HTTPS://A.example:443/a b/../%7e/ü'?q=[1]&r=a+b c&s=%5b";
    expect(urlWithoutUserinfo({ url })).toBe(url);
  });

  it.each([
    [{ url: `https://me:${secret}@a.example/x?y=1` }, 'https://a.example/x?y=1'],
    [{ url: `https://${secret}@a.example:8443/x` }, 'https://a.example:8443/x'],
    [{ url: `https://:${secret}@a.example/x` }, 'https://a.example/x'],
    [{ url: '/x', baseURL: `https://me:${secret}@a.example/v1` }, 'https://a.example/v1/x'],
    [{ url: `//me:${secret}@a.example/x` }, '//a.example/x'],
    [{ url: `https://me:a@${secret}@a.example/x` }, 'https://a.example/x'],
    // However odd it is written, as long as somebody could read it so.
    [{ url: ` ht\ntps://me:${secret}@a.example/x` }, 'https://a.example/x'],
    [{ url: `http:me:${secret}@a.example/x` }, 'http://a.example/x'],
    [{ url: `http:/me:${secret}@a.example/x` }, 'http://a.example/x'],
    [{ url: `http:\\\\me:${secret}@a.example/x` }, 'http://a.example/x'],
    [{ url: `\\\\me:${secret}@a.example/x` }, 'http://a.example/x'],
  ])('has lost it where %j has some', (config, url) => {
    expect(urlWithoutUserinfo(config)).toBe(url);
  });

  it('leaves an @ of the path and the query alone', () => {
    const url = 'https://a.example/@me/x?mail=me:you@b.example';
    expect(urlWithoutUserinfo({ url })).toBe(url);
  });

  it('is an error that shows nothing of it where nobody can read it', () => {
    expect(() => urlWithoutUserinfo({ url: `http://me:${secret}@[` })).toThrow(
      new TypeError('Expected `url` to be a URL, got one that is none'),
    );
  });
});

describe('a reader of origins', () => {
  const hosts = ['h', 'H', '1', '0x10', 'a_b.', '.', 'xn--', 'é', '[::1]', '%41'];
  const ends = ['', ':80', ':00443', ':', ':99999', '@', '\\', '/', '?', '#', ' ', '\t', '\n'];
  const urls = ['http://', 'HTTPS://', 'http:', ' http://', '//', 'ftp://'].flatMap((scheme) =>
    hosts.flatMap((host) =>
      ends.flatMap((end) => ['', '@e/', 'e', '/'].map((rest) => scheme + host + end + rest)),
    ),
  );

  function originOf(url: string): string | undefined {
    try {
      const { origin } = new URL(url, 'http://nowhere.invalid');
      return origin === 'http://nowhere.invalid' ? undefined : origin;
    } catch {
      return undefined;
    }
  }

  it('says what the parser of URLs says, however odd they are, and however often it is asked', () => {
    const read = originReader();
    const expected = urls.map(originOf);
    // Each is asked for again at once, and once what was remembered has been forgotten.
    const twice = urls.flatMap((url) => [read({ url }), read({ baseURL: url })]);
    expect(twice).toEqual(expected.flatMap((origin) => [origin, origin]));
    for (let host = 0; host < 200; host += 1) read({ url: `http://h${host}/` });
    expect(urls.map((url) => read({ url }))).toEqual(expected);
  });
});
