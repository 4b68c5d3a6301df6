import { needs } from './needs.js';

const missing = 'a-program-that-nobody-has';

describe('tests that need a program', () => {
  const { CI } = process.env;
  afterEach(() => {
    if (CI === undefined) delete process.env['CI'];
    else process.env['CI'] = CI;
  });

  it('run where the machine has it', () => {
    expect(needs('node')).toBe(describe);
  });

  it('are left out where it has not, and that is said in a line', () => {
    delete process.env['CI'];
    const info = jest.spyOn(console, 'info').mockReturnValue();
    expect(needs(missing)).toBe(describe.skip);
    expect(info.mock.calls).toEqual([[`left out: ${missing} is not on this machine`]]);
  });

  it('fail in CI instead', () => {
    process.env['CI'] = 'true';
    expect(() => needs(missing)).toThrow(`left out: ${missing} is not on this machine`);
  });
});
