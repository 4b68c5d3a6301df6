import { asText, isOver, perform, forget, type Operation, type Stored } from './script-model.js';
import type { Lateness, Moment } from './script-table.js';

/** How far apart the same instant may be read: the answer has the time to a tenth of a millisecond. */
const blur = 0.2;

export interface Asked {
  readonly operation: Operation;
  readonly node: string;
  readonly lateness: Lateness;
  /** The incarnation that the node knows of. */
  readonly incarnation: string;
}

/** What is stored and answered must be what the model makes of it. */
export function expectAsModelled(before: Stored, asked: Asked, { answer, stored }: Moment): void {
  const { operation, node, lateness } = asked;
  const { now } = answer;
  const hasForgotten = before.incarnation === undefined;
  if (hasForgotten) forget(before, answer.incarnation);
  const isFenced = operation.do !== 'poll' && operation.do !== 'fleet';
  const isOther = lateness === 'of another incarnation' || asked.incarnation !== before.incarnation;
  const isStale = lateness === 'after its deadline' || (isFenced && isOther);
  const isClose = isAtAnEdge(before, operation, now);
  const said = isStale ? {} : perform(before, operation, node, now);
  if (isClose) return;
  expect(answer).toMatchObject({
    status: isStale ? 'stale' : 'ok',
    incarnation: before.incarnation,
    epoch: before.epoch,
    granted: said.granted ?? false,
    leaseEpoch: said.leaseEpoch ?? 0,
  });
  expect(answer.circuits.map((news) => asText(news.id, news)).sort()).toEqual(
    [...(said.circuits ?? [])].sort(),
  );
  const commands = answer.fleet.map(({ id, command, epoch }) => [id, command, epoch].join());
  expect(commands.sort()).toEqual([...(said.commands ?? [])].sort());
  for (const { id, waitMs } of answer.circuits) {
    expectNear(waitMs, Math.max(0, (stored.circuits.get(id)?.ends ?? 0) - now));
  }
  expectSameStored(stored, before, now);
}

/** What must hold whatever the script does. */
export function expectSound(before: Stored, asked: Asked, moment: Moment): void {
  const { operation } = asked;
  const { answer, stored, kept } = moment;
  const { now } = answer;
  expect(kept.filter(({ ttl }) => ttl <= 0)).toEqual([]);
  for (const { key, ttl } of kept) {
    expect({ key, isKept: now + ttl >= lastEnd(stored, key) }).toEqual({ key, isKept: true });
  }
  if (before.incarnation !== stored.incarnation) return;
  expect(stored.epoch).toBeGreaterThanOrEqual(before.epoch);
  for (const [circuit, record] of stored.circuits) {
    const old = before.circuits.get(circuit);
    expect(record.epoch).toBeLessThanOrEqual(stored.epoch);
    if (old?.epoch === record.epoch) {
      expect(record).toEqual(old);
      continue;
    }
    expect(record.epoch).toBeGreaterThan(before.epoch);
    if (old === undefined || isOver(old, now - blur)) continue;
    expect(record.ends).toBeGreaterThanOrEqual(old.state === 'open' ? Math.min(old.ends, now) : 0);
    if (record.state === 'open') expect(record.ends).toBeGreaterThanOrEqual(old.ends - blur);
    if (operation.do === 'rest' && old.state === 'open' && old.recovery === 'probe') {
      expect(record.recovery).toBe('probe');
    }
    if (operation.do === 'vote') expectQuorum(before, operation, asked.node, now);
  }
  if (operation.do === 'lease' && answer.granted) {
    const leases = stored.leases.get(operation.circuit) ?? new Map<string, number>();
    expect(current(leases, now).length).toBeLessThanOrEqual(operation.budget);
  }
}

function expectQuorum(
  before: Stored,
  { circuit, quorum }: Operation & { do: 'vote' },
  node: string,
  now: number,
): void {
  const early = now - blur;
  const live = new Set([...current(before.nodes, early), node]);
  const voters = new Set([...current(before.votes.get(circuit) ?? new Map(), early), node]);
  const counted = [...voters].filter((voter) => live.has(voter)).length;
  // Who is live no more, to a blur, is no part of the quorum either.
  const fewest = new Set([...current(before.nodes, now + blur), node]).size;
  expect(counted).toBeGreaterThanOrEqual(Math.max(2, Math.ceil(quorum * fewest)));
}

/** Whether something ends just now, so that nobody can say if it has. */
function isAtAnEdge(stored: Stored, operation: Operation, now: number): boolean {
  const records = [...stored.circuits.values()];
  const sets = [stored.nodes, ...stored.votes.values(), ...stored.leases.values()];
  const edges = [
    ...records.flatMap(({ ends }) => [ends, ends + 60_000]),
    ...[...stored.fleet.values()].map(({ ends }) => ends),
    ...sets.flatMap((set) => [...set.values()]),
  ];
  if (operation.do === 'rest') {
    edges.push((stored.circuits.get(operation.circuit)?.ends ?? 0) - operation.ms);
  }
  return edges.some((edge) => Math.abs(edge - now) < blur);
}

function expectSameStored(real: Stored, model: Stored, now: number): void {
  expect(records(real, now)).toEqual(records(model, now));
  for (const [circuit, { ends }] of real.circuits) {
    const record = model.circuits.get(circuit);
    if (record && !isOver(record, now)) expectNear(ends, record.ends);
  }
  const commands = ({ fleet }: Stored) =>
    Object.fromEntries([...fleet].map(([id, { command, epoch }]) => [id, `${command} ${epoch}`]));
  expect(commands(real)).toEqual(commands(model));
  expectSameSet(real.nodes, model.nodes, now);
  for (const circuit of ['a', 'b']) {
    expectSameSet(real.votes.get(circuit), model.votes.get(circuit), now);
    expectSameSet(real.leases.get(circuit), model.leases.get(circuit), now);
  }
}

function records({ circuits }: Stored, now: number): string[] {
  const known = [...circuits].filter(([, record]) => !isOver(record, now));
  return known.map(([circuit, record]) => asText(circuit, record)).sort();
}

function expectSameSet(
  real = new Map<string, number>(),
  model = new Map<string, number>(),
  now: number,
): void {
  expect(current(real, now).sort()).toEqual(current(model, now).sort());
  for (const name of current(real, now)) expectNear(real.get(name), model.get(name));
}

function current(set: ReadonlyMap<string, number>, now: number): string[] {
  return [...set].filter(([, ends]) => ends > now).map(([name]) => name);
}

/** Ends are written in whole milliseconds, upwards. */
function expectNear(real = NaN, model = NaN): void {
  const difference = real - model;
  expect({ real, model, isNear: difference > -blur && difference < 1 + blur }).toEqual({
    real,
    model,
    isNear: true,
  });
}

function lastEnd(stored: Stored, key: string): number {
  const [part = '', circuit = ''] = key.split(':');
  const ends = (set = new Map<string, number>()) => [...set.values()];
  if (part === 'nodes') return Math.max(0, ...ends(stored.nodes));
  if (part === 'votes') return Math.max(0, ...ends(stored.votes.get(circuit)));
  if (part === 'leases') return Math.max(0, ...ends(stored.leases.get(circuit)));
  return Math.max(0, ...[...stored.circuits.values()].map((record) => record.ends));
}
