import { EventQueue, type BreakerEventName } from '../src/events.js';

const open = {
  key: 'default',
  reason: 'manual',
  error: undefined,
  cooldownMs: 1,
  from: undefined,
} as const;
const close = { key: 'default', reason: 'manual', openForMs: 1 } as const;

function sinkFor(names: BreakerEventName[], tell: (type: BreakerEventName) => void) {
  return { wants: (type: BreakerEventName) => names.includes(type), tell };
}

describe('the event queue', () => {
  it('tells nothing before it is flushed, then all in order', () => {
    const queue = new EventQueue();
    const told: string[] = [];
    queue.addSink(sinkFor(['OPEN', 'CLOSE'], (type) => told.push(type)));
    queue.push('OPEN', open);
    queue.push('CLOSE', close);
    expect(told).toEqual([]);
    queue.flush();
    expect(told).toEqual(['OPEN', 'CLOSE']);
    queue.flush();
    expect(told).toHaveLength(2);
  });

  it('never nests: what is pushed meanwhile comes after', () => {
    const queue = new EventQueue();
    const told: string[] = [];
    queue.addSink(
      sinkFor(['OPEN', 'CLOSE'], (type) => {
        told.push(`${type} begins`);
        if (type === 'OPEN') {
          queue.push('CLOSE', close);
          queue.flush();
        }
        told.push(`${type} ends`);
      }),
    );
    queue.push('OPEN', open);
    queue.flush();
    expect(told).toEqual(['OPEN begins', 'OPEN ends', 'CLOSE begins', 'CLOSE ends']);
  });

  it('does not tell a sink that another one took away when it was told', () => {
    const queue = new EventQueue();
    const told: string[] = [];
    queue.addSink(sinkFor(['OPEN'], () => remove()));
    const remove = queue.addSink(sinkFor(['OPEN'], (type) => told.push(type)));
    queue.push('OPEN', open);
    queue.flush();
    expect(told).toEqual([]);
  });

  it('asks each sink what it wants, and tells it that alone', () => {
    const queue = new EventQueue();
    const told: string[] = [];
    queue.addSink(sinkFor(['OPEN'], (type) => told.push(`first ${type}`)));
    const remove = queue.addSink(sinkFor(['CLOSE'], (type) => told.push(`second ${type}`)));
    expect(['OPEN', 'CLOSE', 'REFUSE'].map((name) => queue.wants(name as 'OPEN'))).toEqual([
      true,
      true,
      false,
    ]);
    queue.push('OPEN', open);
    queue.push('CLOSE', close);
    queue.flush();
    expect(told).toEqual(['first OPEN', 'second CLOSE']);
    remove();
    expect(queue.wants('CLOSE')).toBe(false);
  });

  it('tells nothing once closed, not even what was pushed before', () => {
    const queue = new EventQueue();
    const tell = jest.fn();
    queue.addSink(sinkFor(['OPEN'], tell));
    queue.push('OPEN', open);
    queue.close();
    queue.flush();
    expect(tell).not.toHaveBeenCalled();
  });
});
