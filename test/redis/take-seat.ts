import { RedisSeat } from '../../src/redis/seat.js';
import { FakeMember, FakeRedis, settled } from './fake-redis.js';

const rules = { prefix: 'guard', quorum: 0.5, pollInterval: 1_000, node: 'me' };

/** A breaker's place among others, and the first poll behind it unless that is not to be answered. */
export async function takeSeat({ observes = false, isAnswered = true } = {}) {
  const redis = new FakeRedis();
  const member = new FakeMember();
  member.observes = observes;
  if (!isAnswered) redis.reply = () => undefined;
  const seat = new RedisSeat(member, redis, rules);
  await settled();
  if (isAnswered) redis.asked.length = 0;
  const advance = async (ms: number) => {
    member.clock.advance(ms);
    await settled();
  };
  /** Redis does not answer until it is told to. */
  const hang = () => (redis.reply = () => undefined);
  const answers = () => (redis.reply = () => ({}));
  return { redis, member, seat, advance, hang, answers };
}

export const operations = (redis: FakeRedis) => redis.asked.map(({ operation }) => operation);
