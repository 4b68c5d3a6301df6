import type { CircuitBreaker } from '../../src/index.js';
import type { BreakerList } from '../../src/status/board.js';
import { statusOf } from '../../src/status/circuit-status.js';
import { ManualClock } from '../../src/testing/index.js';
import { createBoard, watch } from './boards.js';
import { createGuarded, trip, type Guarded } from './guarded.js';

describe('the list of breakers', () => {
  it('may grow and shrink', async () => {
    const clock = new ManualClock();
    const [one, two] = ['one', 'two'].map((name) => createGuarded({ name }, clock)) as [
      Guarded,
      Guarded,
    ];
    const list = [one.breaker];
    const { board, onChange } = createBoard(list, clock);
    const names = () => board.sightings().map(({ breaker }) => breaker);
    list.push(two.breaker);
    clock.advance(3_000);
    await trip(two);
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(names()).toEqual(['one', 'two']);
    list.shift();
    expect(names()).toEqual(['two']);
    await trip(one);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('leaves out a breaker that is detached', async () => {
    const guarded = createGuarded({ name: 'gone' });
    const { board } = createBoard([guarded.breaker], guarded.clock);
    await trip(guarded);
    expect(board.sightings()).toHaveLength(1);
    guarded.breaker.detach();
    expect(board.sightings()).toEqual([]);
  });

  it('may come from a function', () => {
    const { breaker } = createGuarded({ name: 'late' });
    const list: CircuitBreaker[] = [];
    const { board } = createBoard(() => [...list]);
    expect(board.sightings()).toEqual([]);
    list.push(breaker);
    expect(board.sightings().map(statusOf)).toMatchObject([{ breaker: 'late' }]);
  });

  it('tells breakers of one name apart', () => {
    const clock = new ManualClock();
    const names = ['api', 'api', 'api (2)', 'api'];
    const { board } = createBoard(
      names.map((name) => createGuarded({ name }, clock).breaker),
      clock,
    );
    const labels = board.sightings().map(({ breaker }) => breaker);
    expect(labels).toEqual(['api', 'api (2)', 'api (2) (2)', 'api (3)']);
    expect(labels.map((label) => board.breaker(label)?.name)).toEqual(names);
  });

  it('names a breaker once, however often it is in it', () => {
    const { breaker } = createGuarded();
    expect(createBoard([breaker, breaker]).board.sightings()).toHaveLength(1);
  });

  it.each([
    [undefined, 'Expected `breakers` to be a list, or a function that returns one, got undefined'],
    [{}, 'Expected `breakers` to be a list, or a function that returns one, got an object'],
    [() => 7, 'Expected `breakers` to be a list, or a function that returns one, got 7'],
    [[undefined], 'Expected `breakers[0]` to be a circuit breaker, got undefined'],
    [[createGuarded().breaker, 'x'], 'Expected `breakers[1]` to be a circuit breaker, got "x"'],
  ])('is refused where it is %p', (list, message) => {
    expect(() => createBoard(list as BreakerList)).toThrow(new TypeError(message));
  });

  it('stays as it was where the function throws later, and one warning says so', () => {
    const { breaker, clock } = createGuarded();
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    let isBroken = false;
    const { board } = createBoard(() => {
      if (isBroken) throw new Error('no list today');
      return [breaker];
    }, clock);
    isBroken = true;
    clock.advance(60_000);
    expect(board.sightings()).toHaveLength(1);
    expect(warn.mock.calls).toEqual([['breakers threw: no list today', 'CircuitBreakerWarning']]);
    warn.mockRestore();
  });
});

describe('a board', () => {
  it('beats every three seconds, until it is closed', () => {
    const clock = new ManualClock(500);
    const { board, onBeat } = createBoard([], clock);
    clock.advance(9_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
    board.close();
    clock.advance(9_000);
    expect(onBeat).toHaveBeenCalledTimes(3);
  });

  it('hears of nothing once closed', async () => {
    const guarded = createGuarded();
    const { board, onChange } = watch(guarded);
    board.close();
    await trip(guarded);
    expect(onChange).not.toHaveBeenCalled();
    expect(board.sightings()).toEqual([]);
  });
});
