import sayWhatIsMissing from './programs.js';

describe('what the tests leave out', () => {
  const { PATH } = process.env;
  afterEach(() => void (process.env['PATH'] = PATH));

  it('is said in one line', () => {
    process.env['PATH'] = '';
    const info = jest.spyOn(console, 'info').mockReturnValue();
    sayWhatIsMissing();
    expect(info.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^Left out, as not on this machine: redis-server, chromium, promtool/,
        ),
      ],
    ]);
  });
});
