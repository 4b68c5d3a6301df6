import { bucketMs, buckets, Timeline } from '../../src/status/timeline.js';

const span = bucketMs * buckets;

describe('the timeline of a circuit', () => {
  it('covers ten minutes', () => {
    expect(span).toBe(600_000);
  });

  it('knows nothing of the time before it began', () => {
    const { states, success } = new Timeline(7_000, 'closed').read(7_000);
    expect(states).toBe('0'.repeat(buckets - 1) + '1');
    expect(success).toEqual(Array(buckets).fill(0));
  });

  it('counts in the bucket of the moment, the last one at the end', () => {
    const timeline = new Timeline(0, 'closed');
    timeline.count(0, 'success');
    timeline.count(bucketMs - 1, 'success');
    timeline.count(bucketMs, 'failure');
    timeline.count(2 * bucketMs, 'refused');
    const { success, failure, refused, bucket } = timeline.read(2 * bucketMs);
    expect(success.slice(-3)).toEqual([2, 0, 0]);
    expect(failure.slice(-3)).toEqual([0, 1, 0]);
    expect(refused.slice(-3)).toEqual([0, 0, 1]);
    expect(bucket).toBe(2);
  });

  it('shows the heaviest state that a bucket saw, and the last one in those after it', () => {
    const timeline = new Timeline(0, 'closed');
    timeline.enter(1, 'open');
    timeline.enter(2, 'half-open');
    timeline.enter(3, 'closed');
    timeline.enter(2 * bucketMs, 'disabled');
    timeline.enter(3 * bucketMs, 'half-open');
    timeline.enter(4 * bucketMs, 'forced-open');
    expect(timeline.read(5 * bucketMs).states.slice(-6)).toBe('412355');
  });

  it.each([1, 2, buckets - 1, buckets, buckets + 1, 10 * buckets])(
    'is right after a silence of %p buckets',
    (silence) => {
      const timeline = new Timeline(0, 'closed');
      timeline.count(0, 'failure');
      timeline.enter(0, 'open');
      const later = silence * bucketMs;
      const isKept = silence < buckets;
      expect(timeline.totals(later).failure).toBe(isKept ? 1 : 0);
      expect(timeline.read(later).failure.indexOf(1)).toBe(isKept ? buckets - 1 - silence : -1);
      const known = Math.min(silence + 1, buckets);
      expect(timeline.read(later).states).toBe('4'.repeat(known).padStart(buckets, '0'));
    },
  );

  it('adds up what it still shows', () => {
    const timeline = new Timeline(0, 'closed');
    for (let at = 0; at < 2 * span; at += bucketMs) timeline.count(at, 'success');
    expect(timeline.totals(2 * span - 1)).toEqual({ success: buckets, failure: 0, refused: 0 });
  });

  it('never runs backwards', () => {
    const timeline = new Timeline(10 * bucketMs, 'closed');
    timeline.count(9 * bucketMs, 'success');
    expect(timeline.read(0).success.slice(-2)).toEqual([0, 1]);
  });
});
