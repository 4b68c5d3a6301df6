import { Bench } from './circuits.js';

describe('a closed circuit', () => {
  it('opens on the first failure with the first-error rule', () => {
    const bench = new Bench({ errorHandler: () => true });
    bench.call('failure');
    expect(bench.state).toBe('open');
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'first-error', cooldownMs: 10_000 });
  });

  it('stays closed on successes and ignored calls with the first-error rule', () => {
    const bench = new Bench({ errorHandler: () => true });
    bench.call(['success', 'ignored', 'success']);
    expect(bench.events.transitions).toEqual([]);
  });

  it('opens on the last of N failures in a row, and not before', () => {
    const bench = new Bench({ consecutiveFailures: 3 });
    bench.call(['failure', 'failure']);
    expect(bench.state).toBe('closed');
    bench.call('failure');
    expect(bench.state).toBe('open');
    expect(bench.events.last('OPEN').reason).toBe('consecutive');
  });

  it('starts counting again after a success', () => {
    const bench = new Bench({ consecutiveFailures: 3 });
    for (let round = 0; round < 10; round += 1) bench.call(['failure', 'failure', 'success']);
    expect(bench.events.transitions).toEqual([]);
  });

  it('takes an ignored call for no end of a row', () => {
    const bench = new Bench({ consecutiveFailures: 2 });
    bench.call(['failure', 'ignored', 'failure']);
    expect(bench.state).toBe('open');
  });

  it('opens when the share of failures reaches the threshold', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 4 });
    bench.call(['success', 'success', 'failure']);
    expect(bench.state).toBe('closed');
    bench.call('failure');
    expect(bench.events.last('OPEN').reason).toBe('failure-rate');
  });

  it('reaches no verdict by share before minimumCalls', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 4 });
    bench.call(['failure', 'failure', 'failure']);
    expect(bench.state).toBe('closed');
  });

  it('opens on a success too, when that call makes the share reach the threshold', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 4 });
    bench.call(['failure', 'failure', 'failure', 'success']);
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'failure-rate', error: undefined });
  });

  it('has 0.5 of 10 calls and 5 in a row as its rules where none is given', () => {
    const inARow = new Bench();
    inARow.call(['failure', 'failure', 'failure', 'failure']);
    expect(inARow.state).toBe('closed');
    inARow.call('failure');
    expect(inARow.events.last('OPEN').reason).toBe('consecutive');

    const byShare = new Bench();
    for (let round = 0; round < 4; round += 1) byShare.call(['failure', 'success']);
    byShare.call('success');
    expect(byShare.state).toBe('closed');
    byShare.call('failure');
    expect(byShare.events.last('OPEN').reason).toBe('failure-rate');
  });

  it('forgets calls that are older than the window', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 4, windowDuration: 1_000 });
    bench.call(['failure', 'failure']);
    bench.clock.advance(1_100);
    bench.call(['failure', 'failure']);
    expect(bench.state).toBe('closed');
  });

  it('counts only the last windowSize calls', () => {
    const bench = new Bench({ failureThreshold: 0.5, windowSize: 4 });
    bench.call(['failure', 'success', 'success', 'success', 'success', 'failure']);
    expect(bench.state).toBe('closed');
    expect(bench.circuit.figures().failureRate).toBe(0.25);
    bench.call('failure');
    expect(bench.state).toBe('open');
  });

  it('has neither refused nor ignored nor running calls in its denominator', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 4 });
    for (let call = 0; call < 10; call += 1) bench.admit();
    bench.call('ignored');
    bench.call(['failure', 'failure', 'failure', 'failure']);
    expect(bench.state).toBe('open');
  });

  it('names the first of the reasons that hold at once', () => {
    const bench = new Bench({
      failureThreshold: 0.5,
      minimumCalls: 2,
      consecutiveFailures: 2,
      slowCallDuration: 100,
    });
    bench.call(['failure', 'failure'], 100);
    expect(bench.events.last('OPEN').reason).toBe('failure-rate');
  });

  it('hands the error through to OPEN, and keeps a summary of it', () => {
    const bench = new Bench({ consecutiveFailures: 1 });
    const error = Object.assign(new Error('gone'), {
      code: 'ECONNRESET',
      response: { status: 502 },
    });
    bench.call('failure', 0, { error });
    expect(bench.events.last('OPEN').error).toBe(error);
    const summary = { message: 'gone', code: 'ECONNRESET', status: 502 };
    expect(bench.refusal().cause).toEqual(summary);
    expect(bench.circuit.figures().lastError).toEqual(summary);
  });

  it('has no cause where no error opened it', () => {
    const bench = new Bench({ consecutiveFailures: 1 });
    bench.call('failure');
    expect(bench.refusal().cause).toBeUndefined();
  });

  it('remembers the last error that was a failure, and no other', () => {
    const bench = new Bench();
    bench.call('failure', 0, { error: new Error('counted') });
    bench.call(['success', 'ignored'], 0, { error: new Error('excused') });
    bench.call('failure');
    expect(bench.circuit.figures().lastError).toMatchObject({ message: 'counted' });
  });

  it('describes no exchange that nobody wants to hear of', () => {
    const bench = new Bench({ consecutiveFailures: 1 });
    bench.events.wanted = [];
    bench.call(['success', 'ignored', 'failure']);
    expect(bench.events.names).toEqual(['OPEN']);
  });

  it('tells FAILURE before the OPEN that it causes', () => {
    const bench = new Bench({ consecutiveFailures: 1 });
    bench.call('failure');
    expect(bench.events.names).toEqual(['FAILURE', 'OPEN']);
  });

  it('tells of each exchange what it saw', () => {
    const bench = new Bench({ slowCallDuration: 50 });
    const error = new Error('no');
    const response = { status: 200 };
    bench.call('success', 49, { response });
    bench.call('failure', 50, { error });
    bench.call('ignored', 60);
    const common = { key: 'default', probe: false, late: false };
    expect(bench.events.told).toEqual([
      ['SUCCESS', { ...common, durationMs: 49, slow: false, response, error: undefined }],
      ['FAILURE', { ...common, durationMs: 50, slow: true, response: undefined, error }],
      ['IGNORE', { ...common, durationMs: 60, slow: false, response: undefined, error: undefined }],
    ]);
  });

  it('counts each call once', () => {
    const bench = new Bench({ consecutiveFailures: 9, slowCallDuration: 50 });
    bench.call(['success', 'failure', 'ignored']);
    bench.call('success', 50);
    bench.admit();
    expect(bench.circuit.figures()).toMatchObject({
      inFlight: 1,
      failureRate: 1 / 3,
      slowRate: 1 / 3,
      retryAfterMs: 0,
      openReason: undefined,
      counts: { admitted: 5, success: 2, failure: 1, ignored: 1, slow: 1, late: 0, refused: 0 },
    });
  });
});

describe('slow calls', () => {
  const slow = { slowCallDuration: 100, slowCallThreshold: 0.5, minimumCalls: 4 };

  it('open when their share reaches the threshold', () => {
    const bench = new Bench({ ...slow, consecutiveFailures: 99 });
    bench.call(['success', 'success']);
    bench.call('success', 100);
    expect(bench.state).toBe('closed');
    bench.call('success', 100);
    expect(bench.events.last('OPEN').reason).toBe('slow-rate');
  });

  it('are not slow a millisecond earlier', () => {
    const bench = new Bench({ ...slow, consecutiveFailures: 99 });
    bench.call(['success', 'success', 'success', 'success', 'success'], 99);
    expect(bench.state).toBe('closed');
  });

  it('open at half of the calls where no threshold is given', () => {
    const bench = new Bench({ slowCallDuration: 100, minimumCalls: 2, consecutiveFailures: 99 });
    bench.call('success');
    bench.call('success', 100);
    expect(bench.state).toBe('open');
  });

  it('count in the row of bad calls', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 3 });
    bench.call('success', 100);
    bench.call('failure');
    bench.call('success', 100);
    expect(bench.events.last('OPEN').reason).toBe('consecutive');
  });

  it('are seen while still in flight, by the next request', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 2 });
    bench.admit();
    bench.admit();
    bench.clock.advance(99);
    bench.admit();
    expect(bench.state).toBe('closed');
    bench.clock.advance(1);
    expect(bench.refusal().reason).toBe('consecutive');
  });

  it('are seen while still in flight, by the next answer', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 2 });
    bench.admit();
    bench.admit();
    bench.clock.advance(50);
    const quick = bench.admit();
    bench.clock.advance(50);
    quick.settle('success');
    expect(bench.events.names).toEqual(['OPEN', 'SUCCESS']);
    expect(bench.events.last('SUCCESS').late).toBe(true);
  });

  it('count once, whether they are overdue first or not', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 3, minimumCalls: 99 });
    const hung = bench.admit();
    bench.clock.advance(100);
    bench.call('ignored');
    expect(bench.circuit.figures().slowRate).toBe(1);
    hung.settle('failure');
    bench.call('failure');
    expect(bench.state).toBe('closed');
    expect(bench.counts.slow).toBe(1);
    bench.call('failure');
    expect(bench.state).toBe('open');
  });

  it('that were overdue do not end the row when they end well', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 2 });
    const hung = bench.admit();
    bench.clock.advance(100);
    bench.call('ignored');
    hung.settle('success');
    bench.call('failure');
    expect(bench.state).toBe('open');
  });

  it('that are ignored are no sample', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 1 });
    const given = bench.admit();
    bench.clock.advance(500);
    given.settle('ignored');
    expect(bench.state).toBe('closed');
    expect(bench.counts).toMatchObject({ ignored: 1, slow: 0 });
  });

  it('leave the list of those in flight in any order', () => {
    const bench = new Bench({ slowCallDuration: 100, consecutiveFailures: 2 });
    const [first, second, third, fourth] = [
      bench.admit(),
      bench.admit(),
      bench.admit(),
      bench.admit(),
    ];
    second.settle('success');
    first.settle('success');
    fourth.settle('success');
    bench.clock.advance(100);
    bench.call('ignored');
    expect(bench.state).toBe('closed');
    third.settle('failure');
    bench.call('failure');
    expect(bench.state).toBe('open');
  });
});
