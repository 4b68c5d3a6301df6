import fc from 'fast-check';
import { askedOf, maxAge, ownerOf, run, traffic, type Ask, type Data } from './traffic.js';
import type { Offline, Policy, Step } from './traffic.js';

/** Asserts what holds for each answer that is served, in any traffic. */
async function expectAlways(
  holds: (served: Offline & { readonly data: Data }) => boolean,
): Promise<void> {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(traffic, fc.constantFrom(2, 500), async (steps, maxEntries) => {
      for (const { data, ...offline } of await run(steps, maxEntries)) {
        if (data === undefined) continue;
        count += 1;
        expect(holds({ data, ...offline })).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
  expect(count).toBeGreaterThan(50);
}

describe('what is served', () => {
  it("is never another user's data", async () => {
    await expectAlways(({ ask, data }) => data.owner === ownerOf(ask));
  });

  it('is never older than maxAge, and its age is told in whole seconds, not too few', async () => {
    await expectAlways(({ age, data, now }) => {
      const real = ageOf(data, now);
      return real <= maxAge && age * 1_000 >= real && age * 1_000 < real + 1_000;
    });
  });

  it('is never for an unsafe method, and never for another method or URL', async () => {
    await expectAlways(
      ({ ask, data }) => /^(GET|HEAD) /.test(askedOf(ask)) && data.asked === askedOf(ask),
    );
  });

  it('is never what the server forbids to keep, or meant for others', async () => {
    await expectAlways(({ ask, data }) => mayKeep(ask, data.policy) && speaks(data, ask.lang));
  });

  it('is never changed by those who had it before', async () => {
    await expectAlways(({ data }) => data.items.length === 3);
  });

  it('is the last good answer, wherever there is one', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, async (steps) => {
        const served = (await run(steps, 500)).map(({ data }) => data);
        expect(served).toEqual(expected(steps));
      }),
      { numRuns: 50 },
    );
  });
});

const ageOf = ({ at, policy }: Data, now: number) =>
  now - at + Number(policy.headers['age'] ?? 0) * 1_000;

const varyIn = ({ headers }: Policy) => headers['vary']?.toLowerCase() ?? '';
const speaks = ({ lang, policy }: Data, wanted: string) =>
  !varyIn(policy).includes('accept-language') || lang === wanted;

function mayKeep({ carrier }: Ask, { status, headers }: Policy): boolean {
  const isPersonal = headers['Cache-Control'] === 'private' || 'Set-Cookie' in headers;
  const identifies = carrier !== 'otherHeader' && carrier !== 'query';
  return (
    (status === 200 || status === 203) &&
    headers['vary'] !== '*' &&
    headers['Cache-Control'] !== 'no-store' &&
    (identifies || !isPersonal)
  );
}

/** The same by a list of all that was ever answered, the latest first. */
function expected(steps: readonly Step[]): (Data | undefined)[] {
  let told: Data[] = [];
  let policy: Policy = { status: 200, headers: {} };
  let isUp = true;
  let now = 0;
  const served: (Data | undefined)[] = [];
  for (const step of steps) {
    if ('wait' in step) now += step.wait;
    else if ('isUp' in step) ({ isUp } = step);
    else if ('policy' in step) ({ policy } = step);
    else if ('clear' in step) told = [];
    else if (isUp) told = afterAnswer(told, step.ask, policy, now);
    else served.push(find(told, step.ask, now));
  }
  return served;
}

const isOf = (ask: Ask) => (data: Data) =>
  data.owner === ownerOf(ask) && data.asked === askedOf(ask);

function afterAnswer(told: Data[], ask: Ask, policy: Policy, at: number): Data[] {
  if (!/^(get|head)$/i.test(ask.method)) return told;
  const isSame = isOf(ask);
  if ([401, 404].includes(policy.status)) return told.filter((data) => !isSame(data));
  if (!mayKeep(ask, policy)) return told;
  const { lang } = ask;
  const data = { owner: ownerOf(ask), asked: askedOf(ask), lang, at, policy, items: [1, 2, 3] };
  const varies = (other: Data) => varyIn(other.policy) === varyIn(policy);
  return [data, ...told.filter((other) => !isSame(other) || varies(other))];
}

function find(told: Data[], ask: Ask, now: number): Data | undefined {
  const isSame = isOf(ask);
  const latest = told.find((data) => isSame(data) && speaks(data, ask.lang));
  return latest && ageOf(latest, now) <= maxAge ? latest : undefined;
}
