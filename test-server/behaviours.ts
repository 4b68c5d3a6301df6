import type { ServerResponse } from 'node:http';

export interface Pace {
  readonly dripEvery: number;
  readonly dripChunks: number;
}

type Behave = (res: ServerResponse, body: Buffer, pace: Pace) => void;

/** What a server may do once it is about to answer. The response already has its headers. */
export const behaviours = {
  whole: (res, body) => {
    res.end(body);
  },
  silent: () => undefined,
  'silent-body': (res, body) => {
    res.write(firstHalf(body));
  },
  drip,
  cut: (res, body) => {
    res.write(firstHalf(body), () => res.socket?.destroy());
  },
  reset: (res) => {
    res.socket?.resetAndDestroy();
  },
} satisfies Record<string, Behave>;

export type Behaviour = keyof typeof behaviours;

function drip(res: ServerResponse, body: Buffer, { dripEvery, dripChunks }: Pace): void {
  // Spaces leave JSON what it was.
  const padded = Buffer.concat([body, Buffer.alloc(Math.max(0, dripChunks - body.length), ' ')]);
  const startOf = (chunk: number) => Math.floor((chunk * padded.length) / dripChunks);
  let chunk = 0;
  const writeNext = () => {
    const bytes = padded.subarray(startOf(chunk), startOf(chunk + 1));
    chunk += 1;
    if (chunk < dripChunks) {
      res.write(bytes);
    } else {
      clearInterval(timer);
      res.end(bytes);
    }
  };
  const timer = setInterval(writeNext, dripEvery);
  res.once('close', () => clearInterval(timer));
  writeNext();
}

function firstHalf(body: Buffer): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
