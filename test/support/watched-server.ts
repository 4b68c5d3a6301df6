import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../test-server/app.js';

/** One request, as the server saw it; times are in ms. */
export interface Arrival {
  readonly path: string;
  readonly process: number;
  /** By its own account. */
  readonly sentAt: number;
  /**
   * What Redis said to the probe that it is: `granted`, `late` when that came too late to be of use,
   * `unknown` for nothing, or that it was `not asked`; `undefined` for no probe.
   */
  readonly probe: string | undefined;
  readonly at: number;
  /** What it is answered, as the query of the test server's `/answer`. */
  readonly answer: string;
  /** When it had its answer, or was given up by its client; `Infinity` until then. */
  endedAt: number;
  isGivenUp: boolean;
}

export interface WatchedServer {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** What a path is answered, as the query of the test server's `/answer`. */
  answer: (path: string, now: number) => string;
  close(): void;
}

/** The test server, with an eye on what is under way at once. */
export async function startWatchedServer(): Promise<WatchedServer> {
  const { app } = createApp();
  const arrivals: Arrival[] = [];
  const server = createServer((req, res) => {
    const { url: path = '', headers } = req;
    const at = Date.now();
    const probe = headers['x-probe'] as string | undefined;
    const answer = watched.answer(path, at);
    const arrival: Arrival = {
      ...{ path, at, probe, answer, endedAt: Infinity, isGivenUp: false },
      process: Number(headers['x-process']),
      sentAt: Number(headers['x-sent-at']),
    };
    arrivals.push(arrival);
    res.once('close', () => {
      arrival.endedAt = Date.now();
      arrival.isGivenUp = !res.writableFinished;
    });
    req.url = `/answer?${answer}`;
    app(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const watched: WatchedServer = {
    ...{ url: `http://127.0.0.1:${port}`, port, arrivals },
    answer: () => 'status=200',
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return watched;
}

export function probesOf({ arrivals }: WatchedServer): Arrival[] {
  return arrivals.filter(({ probe }) => probe !== undefined);
}

/** Pairs of probes that were under way at once, the older first. */
export function overlaps(server: WatchedServer): [Arrival, Arrival][] {
  const probes = probesOf(server);
  return probes.flatMap((newer, index) =>
    probes
      .slice(0, index)
      .filter(({ endedAt }) => endedAt > newer.at)
      .map((older): [Arrival, Arrival] => [older, newer]),
  );
}
