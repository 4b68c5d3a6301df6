/** What is in Redis of one breaker: each entry of a set with its end. */
export interface Stored {
  incarnation: string | undefined;
  epoch: number;
  readonly circuits: Map<string, Written>;
  readonly fleet: Map<string, Given>;
  readonly nodes: Map<string, number>;
  /** By circuit. */
  readonly votes: Map<string, Map<string, number>>;
  readonly leases: Map<string, Map<string, number>>;
}

export interface Written {
  readonly state: string;
  readonly epoch: number;
  readonly ends: number;
  readonly recovery: string;
  readonly row: number;
}

export interface Given {
  readonly command: string;
  readonly epoch: number;
  readonly ends: number;
}

export type Recovery = 'clock' | 'probe';

interface Opening {
  readonly circuit: string;
  readonly ms: number;
  readonly recovery: Recovery;
  readonly row: number;
}

export type Operation =
  | { readonly do: 'poll'; readonly liveFor: number }
  | ({ readonly do: 'rest' } & Opening)
  | ({
      readonly do: 'vote';
      readonly quorum: number;
      readonly voteFor: number;
      readonly liveFor: number;
    } & Opening)
  | { readonly do: 'unvote'; readonly circuit: string }
  | {
      readonly do: 'lease';
      readonly circuit: string;
      readonly token: string;
      readonly ms: number;
      readonly budget: number;
    }
  | ({
      readonly do: 'finish';
      readonly token: string;
      readonly epoch: number;
      readonly outcome: string;
    } & Opening)
  | { readonly do: 'fleet'; readonly circuit: string; readonly command: 'open' | 'close' }
  | { readonly do: 'leave' };

/** What the answer says beyond status, incarnation, epoch and time. */
export interface Said {
  circuits?: string[];
  commands?: string[];
  granted?: boolean;
  leaseEpoch?: number;
}

/** How long what is over is told to those who may not have heard of it. */
export const memory = 60_000;

/** What the script must make of the operation of a node at an instant. Changes `stored`. */
export function perform(stored: Stored, operation: Operation, node: string, now: number): Said {
  const { circuits, fleet, nodes } = stored;
  const read = (circuit: string) => {
    const record = circuits.get(circuit);
    return record && !isOver(record, now) ? record : undefined;
  };
  const write = (
    circuit: string,
    state: string,
    { ms, recovery, row }: Omit<Opening, 'circuit'>,
  ) => {
    circuits.set(circuit, { state, epoch: (stored.epoch += 1), ends: now + ms, recovery, row });
  };
  const stayFor = (liveFor: number) => {
    if (liveFor > 0) nodes.set(node, Math.max(nodes.get(node) ?? 0, now + liveFor));
  };
  const said = (circuit: string): Said => {
    const record = read(circuit);
    return { circuits: record ? [asText(circuit, record)] : [] };
  };
  const isOpen = (circuit: string) => read(circuit)?.state === 'open';
  const isResting = (circuit: string) => isOpen(circuit) && (read(circuit)?.ends ?? 0) > now;
  switch (operation.do) {
    case 'poll': {
      stayFor(operation.liveFor);
      const told = [...circuits].filter(([, record]) => !isOver(record, now));
      const all = fleet.get('*');
      for (const [circuit, { command, ends, epoch }] of fleet) {
        const isException = circuit !== '*' && all?.command === 'open' && epoch > all.epoch;
        if (command === 'close' && ends <= now && !isException) fleet.delete(circuit);
      }
      return {
        circuits: told.map(([circuit, record]) => asText(circuit, record)),
        commands: [...fleet].map(([circuit, { command, epoch }]) =>
          [circuit, command, epoch].join(),
        ),
      };
    }
    case 'rest': {
      const { circuit, ms, row } = operation;
      const record = read(circuit);
      const isLonger = !isOpen(circuit) || (record?.ends ?? 0) < now + ms;
      const isOutage = isOpen(circuit) && record?.recovery === 'probe';
      const recovery = isOutage ? 'probe' : operation.recovery;
      if (isLonger) write(circuit, 'open', { ms, recovery, row });
      return said(circuit);
    }
    case 'vote': {
      const { circuit, quorum, voteFor, liveFor } = operation;
      stayFor(liveFor);
      const votes = entriesOf(stored.votes, circuit).set(node, now + voteFor);
      const live = [...nodes].filter(([, ends]) => ends > now).map(([name]) => name);
      const voters = live.filter((name) => (votes.get(name) ?? 0) > now);
      const isEnough = voters.length >= Math.max(2, Math.ceil(quorum * live.length));
      if (isEnough && !isResting(circuit)) write(circuit, 'open', operation);
      return said(circuit);
    }
    case 'unvote':
      entriesOf(stored.votes, operation.circuit).delete(node);
      return {};
    case 'lease': {
      const { circuit, token, ms, budget } = operation;
      const leases = entriesOf(stored.leases, circuit);
      const taken = [...leases.values()].filter((ends) => ends > now).length;
      if (isResting(circuit) || taken >= budget) return { granted: false, ...said(circuit) };
      leases.set(token, now + ms);
      const leaseEpoch = isOpen(circuit) ? read(circuit)?.epoch : 0;
      return { granted: true, leaseEpoch: leaseEpoch ?? 0, ...said(circuit) };
    }
    case 'finish': {
      const { circuit, token, epoch, outcome } = operation;
      // One that has ended, and that nobody has cleared away yet, is of use still.
      if (!entriesOf(stored.leases, circuit).delete(token)) return {};
      if (isOpen(circuit) && read(circuit)?.epoch === epoch) {
        if (outcome === 'failed') write(circuit, 'open', operation);
        if (outcome === 'passed') {
          write(circuit, 'closed', { ms: 0, recovery: 'probe', row: 0 });
          stored.votes.delete(circuit);
        }
      }
      return said(circuit);
    }
    case 'fleet': {
      const { circuit, command } = operation;
      if (circuit === '*') {
        fleet.clear();
        circuits.clear();
      }
      circuits.delete(circuit);
      stored.votes.delete(circuit);
      fleet.set(circuit, { command, epoch: (stored.epoch += 1), ends: now + memory });
      return { commands: [[circuit, command, stored.epoch].join()] };
    }
    case 'leave':
      nodes.delete(node);
      return {};
  }
}

/** What an incarnation that has just begun knows. */
export function forget(stored: Stored, incarnation: string): void {
  stored.circuits.clear();
  stored.fleet.clear();
  stored.epoch = 0;
  stored.incarnation = incarnation;
}

export function isOver({ state, recovery, ends }: Written, now: number): boolean {
  return ends + (state === 'open' && recovery === 'clock' ? 0 : memory) <= now;
}

/** All but the time, which no two clocks read alike. */
export function asText(
  circuit: string,
  { state, epoch, recovery, row }: Omit<Written, 'ends'>,
): string {
  return [circuit, state, epoch, recovery, row].join();
}

function entriesOf(of: Map<string, Map<string, number>>, circuit: string): Map<string, number> {
  const entries = of.get(circuit) ?? new Map<string, number>();
  of.set(circuit, entries);
  return entries;
}
