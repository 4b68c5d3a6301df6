import { Names } from '../../src/redis/names.js';
import { outcome } from '../support/rig.js';
import { settled, type Reply, type Told } from './fake-redis.js';
import { operations, takeSeat as setUp } from './take-seat.js';

const names = new Names('guard', 'orders');
const id = names.id('default');
const told: Told = [id, 'open', 3, 250, 'probe', 1];

describe('polling', () => {
  it('begins at once, and says for how long this process counts as live', async () => {
    const { redis } = await setUp({ isAnswered: false });
    expect(redis.asked).toMatchObject([{ operation: 'poll', node: 'me', args: ['3000'] }]);
  });

  it('goes on every second, a tenth more or less by chance', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    const { redis, advance } = await setUp();
    await advance(899);
    expect(redis.asked).toEqual([]);
    await advance(1);
    expect(operations(redis)).toEqual(['poll']);
    random.mockReturnValue(0.999);
    await advance(900);
    await advance(1_099);
    expect(operations(redis)).toEqual(['poll', 'poll']);
    await advance(1);
    expect(redis.asked).toHaveLength(3);
    random.mockRestore();
  });

  it('comes sooner by a hint, and not again for as many as come meanwhile', async () => {
    const { redis, hang } = await setUp();
    hang();
    for (let hint = 1; hint <= 100; hint += 1) redis.publish(id);
    expect(redis.asked).toHaveLength(1);
    await redis.last.answer();
    expect(redis.asked).toHaveLength(2);
    await redis.last.answer();
    expect(redis.asked).toHaveLength(2);
  });

  it('brings its news, also to circuits that are made later', async () => {
    const { redis, member, seat } = await setUp();
    redis.reply = () => ({ circuits: [told, [names.id('new'), 'open', 4, 100, 'clock', 0]] });
    redis.publish('*');
    await settled();
    expect(member.learn.mock.calls).toEqual([
      ['default', { waitMs: 250, recovery: 'probe', row: 1 }],
    ]);
    seat.made('new');
    expect(member.learn.mock.calls[1]).toEqual(['new', { waitMs: 100, recovery: 'clock', row: 0 }]);
  });

  it('that came too late for Redis takes nothing back', async () => {
    const { redis, member } = await setUp();
    const poll = async (reply: Reply) => {
      redis.reply = () => reply;
      redis.publish('*');
      await settled();
    };
    const commanded: Reply = { fleet: [['*', 'open', 2]], epoch: 2 };
    await poll(commanded);
    await poll({ status: 'stale', epoch: 2 });
    await poll(commanded);
    expect(member.command.mock.calls).toEqual([['open', undefined]]);
  });

  it('reports its trouble, and goes on', async () => {
    const { redis, member, advance, hang, answers } = await setUp();
    hang();
    redis.publish(id);
    await redis.last.fail(new Error('gone'));
    expect(member.reportFault.mock.calls).toEqual([['shared', new Error('gone')]]);
    answers();
    redis.asked.length = 0;
    await advance(1_100);
    expect(operations(redis)).toEqual(['poll']);
  });
});

describe('a command to the fleet', () => {
  it('is done once Redis has it, here too', async () => {
    const { redis, member, seat } = await setUp();
    redis.reply = () => ({ fleet: [['*', 'open', 2]] });
    await seat.fleet.open();
    expect(redis.last).toMatchObject({ operation: 'fleet', args: ['*', 'open'] });
    expect(member.command.mock.calls).toEqual([['open', undefined]]);
    await seat.fleet.close('default');
    expect(redis.last.args).toEqual([id, 'close']);
  });

  it('holds at once for a key that had no circuit', async () => {
    const { redis, member, seat } = await setUp();
    redis.reply = () => ({ fleet: [[names.id('new'), 'open', 2]] });
    await seat.fleet.open('new');
    expect(member.command.mock.calls).toEqual([['open', 'new']]);
  });

  it('is rejected where Redis has no room, or came to it too late', async () => {
    const { redis, seat } = await setUp();
    redis.reply = () => ({ status: 'full' });
    await expect(seat.fleet.open('x')).rejects.toThrow('Redis did not take fleet.open(): full');
    redis.reply = () => ({ status: 'stale' });
    await expect(seat.fleet.close()).rejects.toThrow('Redis did not take fleet.close(): stale');
  });

  it('is rejected where Redis does not answer, and never done later', async () => {
    const { redis, seat } = await setUp({ isAnswered: false });
    const asked = outcome(seat.fleet.open());
    await redis.last.fail(new Error('gone'));
    expect((await asked).error).toEqual(new Error('gone'));
    expect(redis.of('fleet')).toEqual([]);
  });

  it('always says by when it must be done', async () => {
    const { redis, seat } = await setUp({ isAnswered: false });
    const asked = seat.fleet.open();
    redis.reply = () => ({});
    await redis.last.answer();
    await asked;
    expect(redis.of('fleet')).toMatchObject([{ incarnation: 'first', deadline: '1001000' }]);
  });
});

describe('the right to probe', () => {
  it('is denied anew in each half-open state', async () => {
    const { redis, member, seat, advance } = await setUp();
    redis.reply = () => ({ granted: false, waitMs: 100 });
    await expect(seat.lease('default', 1_000)).resolves.toBe('denied');
    await advance(member.maxWait + 1_250);
    await expect(seat.lease('default', 1_000)).resolves.toBe('unknown');
    member.probe('default');
    expect(operations(redis)).not.toContain('unvote');
    await expect(seat.lease('default', 1_000)).resolves.toBe('denied');
  });

  it('that another process has is free again at a hint, and at a poll', async () => {
    const { redis, member, seat } = await setUp();
    redis.reply = ({ operation }) => (operation === 'lease' ? { granted: false, waitMs: 900 } : {});
    await expect(seat.lease('default', 100)).resolves.toBe('denied');
    redis.publish(id);
    expect(member.wake.mock.calls).toEqual([['default']]);
    await settled();
    await seat.lease('default', 100);
    redis.publish(names.id('other'));
    await settled();
    expect(member.wake).toHaveBeenCalledTimes(2);
  });
});

describe('who leaves', () => {
  it('says so, and leaves no timer or listener', async () => {
    const { redis, member, seat, advance } = await setUp();
    redis.reply = ({ operation }) => (operation === 'lease' ? { granted: false, waitMs: 900 } : {});
    await seat.lease('default', 100);
    seat.leave();
    await settled();
    expect(redis.last).toMatchObject({ operation: 'leave', args: [] });
    expect(member.clock.pending).toBe(0);
    expect(member.sinks.size).toBe(0);
    expect(redis.channel).toBeUndefined();
    const asked = redis.asked.length;
    await advance(10_000);
    expect(redis.asked).toHaveLength(asked);
  });

  it('hears and tells nothing more, whatever was under way', async () => {
    const { redis, member, seat, hang } = await setUp();
    hang();
    member.open('default', {});
    const [vote] = redis.of('vote');
    redis.publish(id);
    const [poll] = redis.of('poll');
    seat.leave();
    await vote?.fail();
    await poll?.answer({ circuits: [told] });
    await redis.of('leave')[0]?.fail();
    expect(member.learn).not.toHaveBeenCalled();
    expect(member.reportFault).not.toHaveBeenCalled();
    expect(operations(redis)).toEqual(['vote', 'poll', 'leave']);
    expect(member.clock.pending).toBe(0);
  });
});
