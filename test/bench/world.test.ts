import { World } from '../../bench/virtual/world.js';

describe('a virtual world', () => {
  it('gives every library its time, timers and chance, and puts the real ones back', async () => {
    const real = { setTimeout, Date, performance, random: Math.random };
    const seen: unknown[] = [];
    const world = new World(1);
    await world.around(async () => {
      const start = Date.now();
      setTimeout(
        () => seen.push([Date.now() - start, performance.now(), new Date().getTime() - start]),
        500,
      );
      await world.pass(60_000);
    });
    expect(seen).toEqual([[500, 500, 500]]);
    expect({ setTimeout, Date, performance, random: Math.random }).toEqual(real);
  });

  it('brings all promises of one instant to rest before the next', async () => {
    const seen: string[] = [];
    const world = new World(1);
    world.after(10, () => {
      let chain = Promise.resolve();
      for (let link = 0; link < 100; link += 1) chain = chain.then(() => undefined);
      void chain.then(() => seen.push(`promise at ${world.now}`));
    });
    world.after(10.5, () => seen.push(`timer at ${world.now}`));
    await world.pass(20);
    expect(seen).toEqual(['promise at 10', 'timer at 10.5']);
  });

  it('runs timers of one instant in the order in which they were set, and none that was stopped', async () => {
    const seen: string[] = [];
    const world = new World(1);
    await world.around(async () => {
      setTimeout(() => seen.push('first'), 30);
      const stopped = setTimeout(() => seen.push('stopped'), 30);
      setTimeout(() => seen.push('second'), 30);
      clearTimeout(stopped);
      const beat = setInterval(() => {
        seen.push(`beat at ${world.now}`);
        if (world.now === 40) clearInterval(beat);
      }, 20);
      await world.pass(100);
    });
    expect(seen).toEqual(['beat at 20', 'first', 'second', 'beat at 40']);
  });

  it('draws the same chance for the same seed, whatever was drawn elsewhere', async () => {
    const draw = async (seed: number) => {
      const drawn: number[] = [];
      const world = new World(seed);
      await world.around(() => Promise.resolve(void drawn.push(Math.random(), Math.random())));
      return drawn;
    };
    expect(await draw(1)).toEqual(await draw(1));
    expect(await draw(1)).not.toEqual(await draw(2));
  });
});
