import { Names } from '../../src/redis/names.js';

describe('the names in Redis', () => {
  it('tell neither the name of the breaker nor the key of the circuit', () => {
    const names = new Names('guard', 'payments');
    const text = [names.channel, ...names.keys(names.id('tenant-7'))].join(' ');
    expect(text).toMatch(/^guard:/);
    expect(text).not.toMatch(/payments|tenant/);
  });

  it('are the same in every process, and others for another breaker or key', () => {
    const names = new Names('guard', 'a');
    expect(new Names('guard', 'a').keys(names.id('k'))).toEqual(names.keys(names.id('k')));
    expect(new Names('guard', 'b').channel).not.toBe(names.channel);
    expect(names.id('k')).not.toBe(names.id('l'));
  });

  it('have one part in braces, so that a Cluster keeps all of them in one slot', () => {
    const names = new Names('guard', 'a');
    const tags = [names.channel, ...names.keys(names.id('k'))].map(
      (key) => /\{(.+?)\}/.exec(key)?.[1],
    );
    expect(new Set(tags).size).toBe(1);
    expect(tags[0]).toBeDefined();
  });
});
