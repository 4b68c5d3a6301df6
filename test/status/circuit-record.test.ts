import { CircuitRecord } from '../../src/status/circuit-record.js';

describe('the record of a circuit', () => {
  it('notes a change with its instant and its reason', () => {
    const record = new CircuitRecord(1, 'a', 0, 'closed');
    expect(record.enter(5, 'open', 'consecutive')).toBe(true);
    expect(record.changes).toEqual([{ at: 5, state: 'open', reason: 'consecutive' }]);
    expect(record.since).toBe(5);
  });

  it('notes none where the state is what it was', () => {
    const record = new CircuitRecord(1, 'a', 3, 'closed');
    expect(record.enter(5, 'closed')).toBe(false);
    expect(record.changes).toEqual([]);
    expect(record.since).toBe(3);
  });

  it('learns the reason of a change that was seen before it was told', () => {
    const record = new CircuitRecord(1, 'a', 0, 'open');
    record.enter(5, 'closed');
    expect(record.enter(6, 'closed', 'cooldown-elapsed')).toBe(false);
    expect(record.changes).toEqual([{ at: 5, state: 'closed', reason: 'cooldown-elapsed' }]);
    record.enter(7, 'closed', 'manual');
    expect(record.changes).toEqual([{ at: 5, state: 'closed', reason: 'cooldown-elapsed' }]);
  });
});
