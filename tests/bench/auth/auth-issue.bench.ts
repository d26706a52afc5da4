/**
 * Tokens issued over HTTP: ours, each on disk before it is answered, beside oidc-provider with everything in its memory. And how many
 * families of refresh tokens come out of races with two branches that live.
 */

import { fromCallers, percentile, rate, report } from '../measure';
import { type Kind, type Side, startOurs, startRival } from './issue/issuers';

const callers = 64;
const rounds = 3;
/** Of a round; fewer where others use the machine. */
const count = Number(process.env.AUTH_ISSUE_COUNT ?? 4_096);
const [raced, racers] = [100, 8];

type Load = (side: Side, count: number) => Promise<void>;

const accepted = async (side: Side, index: number, form: Parameters<Side['call']>[1]): Promise<string> => {
  const { status, body } = await side.call(index, form);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return String(body.refresh_token ?? body.access_token);
};

/** Each caller has a family of its own, and uses one token after the other. */
const rotations: Load = async (side, count) => {
  const tokens = [...(await side.mint('confidential', callers))];
  await fromCallers(callers, callers, async (index) => {
    for (let use = 0; use < count / callers; use += 1) {
      const form = side.refresh('confidential', tokens[index] as string);
      tokens[index] = await accepted(side, index, form);
    }
  });
};

const credentials: Load = (side, count) =>
  fromCallers(callers, count, async (index) => void (await accepted(side, index, side.service)));

const loads = { rotations, credentials } as const;
type LoadName = keyof typeof loads;

interface Found {
  readonly perSecond: number[];
  readonly perCoreSecond: number[];
}

const measured = async (side: Side, name: LoadName, into: Found): Promise<void> => {
  const before = side.spent();
  into.perSecond.push(await rate(count, () => loads[name](side, count)));
  into.perCoreSecond.push(count / (side.spent() - before));
};

const compared = async (name: LoadName, [ours, rival]: readonly [Side, Side]): Promise<void> => {
  const found = { ours: { perSecond: [], perCoreSecond: [] }, rival: { perSecond: [], perCoreSecond: [] } };
  for (const side of [ours, rival]) await loads[name](side, count / 4);
  for (let round = 0; round < rounds; round += 1) {
    await measured(ours, name, found.ours);
    await measured(rival, name, found.rival);
  }
  for (const of of ['perSecond', 'perCoreSecond'] as const) {
    const [value, baseline] = [percentile(found.ours[of], 0.5), percentile(found.rival[of], 0.5)];
    report({ name: `auth-issue.${name}.${of}`, value, unit: `${name}/s`, baseline });
  }
};

/** Two different successors of one token that both get another are two branches. */
const isForked = async (side: Side, kind: Kind, token: string): Promise<boolean> => {
  const form = side.refresh(kind, token);
  const answers = await Promise.all(Array.from({ length: racers }, (_, index) => side.call(index, form)));
  const successors = new Set(
    answers.flatMap(({ status, body }) => (status === 200 ? [String(body.refresh_token)] : [])),
  );
  return successors.size > 1;
};

const forked = async (side: Side, kind: Kind): Promise<number> => {
  let found = 0;
  for (const token of await side.mint(kind, raced)) if (await isForked(side, kind, token)) found += 1;
  return found;
};

const races = async ([ours, rival]: readonly [Side, Side]): Promise<void> => {
  for (const kind of ['open', 'confidential'] as const) {
    const [value, baseline] = [await forked(ours, kind), await forked(rival, kind)];
    report({ name: `auth-issue.forked.${kind}`, value, unit: `families of ${raced}`, baseline });
  }
};

export const parts = ['rotations', 'credentials', 'races'];

export const run = async (chosen: readonly string[]): Promise<void> => {
  const sides = [await startOurs(2), await startRival()] as const;
  const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
  for (const name of ['rotations', 'credentials'] as const) if (wanted(name)) await compared(name, sides);
  if (wanted('races')) await races(sides);
  for (const side of sides) await side.stop();
};
