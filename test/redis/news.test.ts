import { readAnswer, type Answer } from '../../src/redis/answer.js';
import { Names } from '../../src/redis/names.js';
import { News } from '../../src/redis/news.js';
import { FakeMember, type Reply, type Told } from './fake-redis.js';

const names = new Names('guard', 'orders');
const id = names.id('default');

const answer = (given: Reply): Answer =>
  readAnswer(JSON.stringify({ status: 'ok', incarnation: 'first', epoch: 9, now: 1, ...given }));
const open = (epoch: number, key = 'default'): Told => [
  names.id(key),
  'open',
  epoch,
  250,
  'probe',
  1,
];
const opening = { waitMs: 250, recovery: 'probe', row: 1 };

function setUp() {
  const member = new FakeMember();
  const onLoss = jest.fn();
  const news = new News(member, names, onLoss);
  /** Hears the answer to a poll. */
  const poll = (given: Reply) => {
    news.hear(answer(given));
    news.keep(answer(given));
  };
  return { member, news, onLoss, poll };
}

describe('what Redis tells', () => {
  it('is brought to its circuit, each epoch once', () => {
    const { member, poll } = setUp();
    poll({ circuits: [open(3)] });
    poll({ circuits: [open(3)] });
    expect(member.learn.mock.calls).toEqual([['default', opening]]);
    poll({ circuits: [open(4)] });
    expect(member.learn).toHaveBeenCalledTimes(2);
    poll({ circuits: [[id, 'closed', 5, 0, 'probe', 0]] });
    expect(member.learn.mock.calls[2]).toEqual(['default', 'closed']);
  });

  it('is passed over where there is no such circuit', () => {
    const { member, poll } = setUp();
    poll({ circuits: [open(3, 'other')], fleet: [[names.id('other'), 'open', 4]] });
    expect(member.learn).not.toHaveBeenCalled();
    expect(member.command).not.toHaveBeenCalled();
  });

  it('is followed in the order in which it came to be, whatever it is', () => {
    const { member, poll } = setUp();
    poll({});
    const order: string[] = [];
    member.learn.mockImplementation(() => order.push('learn'));
    member.command.mockImplementation((command, key) => order.push(`${command} ${key ?? 'all'}`));
    poll({
      circuits: [open(6)],
      fleet: [
        [id, 'close', 5],
        ['*', 'open', 4],
      ],
    });
    expect(order).toEqual(['open all', 'close default', 'learn']);
  });

  it('is followed once only where an answer overtakes that of a poll', () => {
    const { member, news } = setUp();
    const polled = answer({ epoch: 4 });
    news.hear(polled);
    news.hear(answer({ epoch: 5, circuits: [open(5)] }));
    news.keep(polled);
    news.hear(answer({ epoch: 5, circuits: [open(5)] }));
    expect(member.learn).toHaveBeenCalledTimes(1);
  });

  it('has no closing for one who has just come', () => {
    const { member, poll } = setUp();
    const fleet = [
      ['*', 'close', 3],
      [id, 'close', 4],
    ] as const;
    poll({ fleet });
    poll({ fleet });
    expect(member.command).not.toHaveBeenCalled();
    poll({ fleet: [['*', 'close', 5]] });
    expect(member.command.mock.calls).toEqual([['close', undefined]]);
  });

  it('has what stands for one who has just come, with its exceptions', () => {
    const { member, poll } = setUp();
    poll({
      fleet: [
        [id, 'close', 4],
        ['*', 'open', 3],
      ],
    });
    expect(member.command.mock.calls).toEqual([
      ['open', undefined],
      ['close', 'default'],
    ]);
  });

  it.each([
    ['another incarnation', { incarnation: 'second', epoch: 3 }],
    ['an epoch that went back', { epoch: 8 }],
  ])('is all news after %s, and what this process knows is told again', (_what, lost) => {
    const { member, onLoss, poll } = setUp();
    poll({ circuits: [open(3)] });
    expect(onLoss).not.toHaveBeenCalled();
    poll({ ...lost, circuits: [open(3)], fleet: [[id, 'close', 2]] });
    expect(member.learn).toHaveBeenCalledTimes(2);
    expect(member.command.mock.calls).toEqual([['close', 'default']]);
    expect(onLoss).toHaveBeenCalledTimes(1);
    poll(lost);
    expect(onLoss).toHaveBeenCalledTimes(1);
  });
});

describe('a circuit that is made', () => {
  it('learns what is known of it, for what is left of it', () => {
    const { member, news, poll } = setUp();
    poll({ circuits: [open(3, 'new'), open(4, 'other')], fleet: [[names.id('new'), 'open', 5]] });
    member.clock.advance(100);
    news.introduce('new', 3_000);
    expect(member.learn.mock.calls).toEqual([['new', { ...opening, waitMs: 150 }]]);
    expect(member.command.mock.calls).toEqual([['open', 'new']]);
    member.clock.advance(1_000);
    news.introduce('other', 3_000);
    expect(member.learn.mock.calls[1]).toEqual(['other', { ...opening, waitMs: 0 }]);
  });

  it('learns nothing before the first poll, and nothing that is older than may be', () => {
    const { member, news, poll } = setUp();
    news.introduce('default', 3_000);
    poll({ circuits: [open(3, 'new')] });
    member.clock.advance(3_001);
    news.introduce('new', 3_000);
    expect(member.learn).not.toHaveBeenCalled();
  });

  it('learns from the next poll what it was not told', () => {
    const { member, news, poll } = setUp();
    poll({ circuits: [open(3)], fleet: [[id, 'open', 4]] });
    member.clock.advance(3_001);
    // It was evicted, and is made again.
    news.introduce('default', 3_000);
    poll({ circuits: [open(3)], fleet: [[id, 'open', 4]] });
    expect(member.learn).toHaveBeenCalledTimes(2);
    expect(member.command).toHaveBeenCalledTimes(2);
  });

  it('learns no older news than an earlier circuit of its key', () => {
    const { member, news, poll } = setUp();
    poll({ circuits: [open(3)] });
    const closed: Told = [id, 'closed', 5, 0, 'probe', 0];
    news.hear(answer({ circuits: [closed] }));
    member.learn.mockClear();
    news.introduce('default', 3_000);
    expect(member.learn).not.toHaveBeenCalled();
    poll({ circuits: [closed] });
    expect(member.learn.mock.calls).toEqual([['default', 'closed']]);
  });

  it('is an exception to a command for all where one of its key was', () => {
    const { member, news, poll } = setUp();
    poll({
      fleet: [
        ['*', 'open', 3],
        [names.id('new'), 'close', 4],
      ],
    });
    news.introduce('new', 3_000);
    expect(member.command.mock.calls).toEqual([
      ['open', undefined],
      ['close', 'new'],
    ]);
  });
});
