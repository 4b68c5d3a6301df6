import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import fc from 'fast-check';
import { times } from '../support/watch.js';
import { setUp } from './offline.js';

const users = ['alice', 'bob', "bob','alice", 'alice,bob', 'ALICE'];

/** The ways in which a request may say whose it is. */
const carriers = {
  authorization: (user: string) => ({ headers: { Authorization: `Bearer ${user}` } }),
  cookie: (user: string) => ({ headers: { COOKIE: [`user=${user}`, 'theme=dark'] } }),
  apiKey: (user: string) => ({ headers: { 'x-Api-Key': user } }),
  ownHeader: (user: string) => ({ headers: { 'X-Who': user } }),
  otherHeader: (user: string) => ({ headers: { 'X-Sid': user } }),
  auth: (user: string) => ({ auth: { username: user, password: user } }),
  query: (user: string) => ({ params: { as: user } }),
};

type Carrier = keyof typeof carriers;

export interface Ask {
  readonly user: string;
  readonly carrier: Carrier;
  readonly method: string;
  readonly url: string;
  readonly lang: string;
}

/** How the server answers from now on. */
export interface Policy {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type Step =
  | { readonly ask: Ask }
  | { readonly policy: Policy }
  | { readonly wait: number }
  | { readonly isUp: boolean }
  | { readonly clear: true };

/** What the server says: to whom and to what, when, and by which policy. */
export interface Data {
  readonly owner: string;
  readonly asked: string;
  readonly lang: string;
  readonly at: number;
  readonly policy: Policy;
  readonly items: number[];
}

/** A request that was made while the server was away, and what the caller got, if anything. */
export interface Offline {
  readonly ask: Ask;
  readonly now: number;
  readonly data: Data | undefined;
  readonly age: number;
}

export const ownerOf = ({ carrier, user }: Ask): string => `${carrier}: ${user}`;
export const askedOf = ({ method, url }: Ask): string => `${method.toUpperCase()} ${url}`;

const ask = (from: { readonly users: string[]; readonly carriers: Carrier[] }) =>
  fc.record({
    user: fc.constantFrom(...from.users),
    carrier: fc.constantFrom(...from.carriers),
    method: fc.constantFrom(...times(12, 'get'), 'GET', 'head', 'post', 'put', 'delete'),
    url: fc.constantFrom(...times(4, '/a'), '/b'),
    lang: fc.constantFrom(...times(3, 'de'), 'en'),
  });

const headers = fc.record(
  {
    age: fc.constantFrom('0', '1', '2', '3', '9', '11'),
    vary: fc.constantFrom(
      'Accept-Language',
      'accept-language',
      'Accept-Encoding',
      '*',
      'Authorization, accept-language',
    ),
    'Cache-Control': fc.constantFrom('private', 'no-store', ...times(3, 'max-age=1')),
    'Set-Cookie': fc.constant('session=1'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const status = fc.constantFrom(...times(30, 200), 203, 206, 304, 401, 404, 418, 503);

const step = (asks: fc.Arbitrary<Ask>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 50, arbitrary: fc.record({ ask: asks }) },
    { weight: 10, arbitrary: fc.record({ isUp: fc.boolean() }) },
    { weight: 5, arbitrary: fc.record({ policy: fc.record({ status, headers }) }) },
    { weight: 5, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 4_000 }) }) },
    { weight: 1, arbitrary: fc.record({ clear: fc.constant(true as const) }) },
  );

/** Traffic in which few users ask for few things in few ways, so that they meet. */
export const traffic = fc
  .record({
    users: fc.subarray(users, { minLength: 2, maxLength: 2 }),
    carriers: fc.subarray(Object.keys(carriers) as Carrier[], { minLength: 1, maxLength: 2 }),
  })
  .chain((from) => fc.array(step(ask(from)), { minLength: 40, maxLength: 80 }));

export const maxAge = 10_000;

/** Takes all steps. Callers change whatever they get. */
export async function run(steps: readonly Step[], maxEntries: number): Promise<Offline[]> {
  let policy: Policy = { status: 200, headers: {} };
  let asking: Ask | undefined;
  let isUp = true;
  const options = { maxAge, maxEntries, credentialHeaders: ['x-who'] };
  const { breaker, client, clock, stale } = setUp(
    () => ({ ...policy, data: asking && dataFor(asking, policy, clock.now()) }),
    { options, breaking: { failureThreshold: 1, minimumCalls: 999 } },
  );
  const offline: Offline[] = [];
  for (const step of steps) {
    if ('wait' in step) clock.advance(step.wait);
    else if ('isUp' in step) isUp = step.isUp;
    else if ('policy' in step) policy = step.policy;
    else if ('clear' in step) stale.clear();
    else {
      asking = step.ask;
      if (isUp) breaker.close();
      else breaker.open();
      const response = await client.request<Data>(configOf(asking)).catch(() => undefined);
      if (!isUp) offline.push({ ask: asking, now: clock.now(), ...whatIsIn(response) });
      if (response) response.data.items.length = 0;
    }
  }
  return offline;
}

function configOf({ carrier, lang, method, url, user }: Ask): AxiosRequestConfig {
  const credential: { headers?: object; auth?: object; params?: object } = carriers[carrier](user);
  const sent = {
    ...credential,
    headers: { ...credential.headers, 'Accept-Language': lang },
    method,
    url,
  };
  return sent as AxiosRequestConfig;
}

function dataFor(asking: Ask, policy: Policy, at: number): Data {
  const { lang } = asking;
  return { owner: ownerOf(asking), asked: askedOf(asking), lang, at, policy, items: [1, 2, 3] };
}

function whatIsIn(response: AxiosResponse<Data> | undefined): Pick<Offline, 'data' | 'age'> {
  return { data: structuredClone(response?.data), age: Number(response?.headers['age']) };
}
