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

  it('are left out where it has not', () => {
    delete process.env['CI'];
    expect(needs(missing)).toBe(describe.skip);
  });

  it('fail in CI instead', () => {
    process.env['CI'] = 'true';
    expect(() => needs(missing)).toThrow(`${missing} is not on this machine`);
  });
});
