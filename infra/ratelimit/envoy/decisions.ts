/** Decides about an Envoy's request: all that its descriptors ask for is taken, or nothing. */
import { status } from '@grpc/grpc-js';
import type { Decision, LimitRequest, PolicyLimiter, Weight } from '../../../packages/ratelimit/src/index';
import { decideBy, type RateLimiting } from '../service/deciding';
import { isUsed, limitRequestOf, weightIn } from './descriptors';
import type { Group } from './groups';
import { CallRefused } from './refused';

export interface Deciding {
  readonly limiterFor: (group: Group) => PolicyLimiter;
  readonly decided: RateLimiting['decided'];
}

/** A group with what the limiter is asked about it. */
interface Asked {
  readonly group: Group;
  readonly limiter: PolicyLimiter;
  readonly request: Omit<LimitRequest, 'weight'>;
}

export interface DecidedGroup {
  readonly group: Group;
  readonly decision: Decision;
}

export const isDenied = ({ decision }: Pick<DecidedGroup, 'decision'>): boolean => decision.outcome === 'deny';

const ask = (deps: Deciding, { limiter, request }: Asked, how: 'check' | 'reserve' | 'peek') => {
  const decide = decideBy({ limiter: () => limiter, decided: deps.decided });
  return (weight: Weight): Promise<Decision> => decide(how, { ...request, weight });
};

const settle = async ({ limiter, request }: Asked, { reservationId }: Decision, actual: Weight): Promise<void> => {
  const { tenant } = request.dimensions;
  if (reservationId === undefined) return;
  await limiter.settle({ reservationId, actual, ...(tenant === undefined ? {} : { tenant }) });
};

/** Room is not asked for: what was used is owed. */
const record = async (deps: Deciding, asked: Asked): Promise<Decision> => {
  const { group } = asked;
  const decision = await ask(deps, asked, 'reserve')(weightIn(group, 0));
  await settle(asked, decision, weightIn(group, group.hits));
  return decision;
};

/** What was taken before and was not used after all. */
const giveBack = async (deps: Deciding, asked: Asked): Promise<Decision> => {
  const { group, limiter, request } = asked;
  const outcome = await limiter.reward({ ...request, weight: weightIn(group, group.hits) });
  if (outcome === 'unavailable') throw new CallRefused(status.UNAVAILABLE, 'Nothing can be given back right now.');
  return ask(deps, asked, 'peek')(weightIn(group, 1));
};

/** Who adds nothing only looks whether one more would pass. */
const decideAlone = (deps: Deciding, asked: Asked): Promise<Decision> => {
  const { group } = asked;
  if (group.isNegative) return giveBack(deps, asked);
  if (isUsed(group)) return record(deps, asked);
  if (group.hits === 0) return ask(deps, asked, 'peek')(weightIn(group, 1));
  return ask(deps, asked, 'check')(weightIn(group, group.hits));
};

/** What was used, or was not, is recorded whatever becomes of the rest. */
const isRecorded = (group: Group): boolean => group.isNegative || isUsed(group);
const isKept = ({ group }: Asked): boolean => !isRecorded(group) && group.hits > 0;

interface DecidedAsked extends DecidedGroup {
  readonly asked: Asked;
}

/** One after the other, each reserved until it is known that none refuses: up to the first that does. */
const reserveEach = async (deps: Deciding, all: readonly Asked[]): Promise<readonly DecidedAsked[]> => {
  const done: DecidedAsked[] = [];
  for (const asked of all) {
    const { group } = asked;
    const deciding = isKept(asked)
      ? ask(deps, asked, 'reserve')(weightIn(group, group.hits))
      : decideAlone(deps, asked);
    done.push({ asked, group, decision: await deciding });
    if (done.some(isDenied)) break;
  }
  return done;
};

/** What is left of the others once a refusal has taken nothing of them. */
const lookAt = (deps: Deciding, asked: Asked): Promise<Decision> =>
  ask(deps, asked, 'peek')(weightIn(asked.group, Math.max(1, asked.group.hits)));

const decideEach = async (deps: Deciding, all: readonly Asked[]): Promise<readonly DecidedGroup[]> => {
  const done = await reserveEach(deps, all);
  const refused = done.find(isDenied);
  const reserved = done.filter(({ asked }) => isKept(asked));
  const ends = reserved.map(({ asked, group, decision }) =>
    settle(asked, decision, weightIn(group, refused === undefined ? group.hits : 0)),
  );
  await Promise.all(ends);
  if (refused === undefined) return done;
  const others = all.filter((asked) => asked !== refused.asked);
  const known = (asked: Asked) =>
    isRecorded(asked.group) ? done.find((one) => one.asked === asked)?.decision : undefined;
  const looks = others.map(async (asked) => ({
    group: asked.group,
    decision: known(asked) ?? (await lookAt(deps, asked)),
  }));
  return [refused, ...(await Promise.all(looks))];
};

export const decideGroups = async (
  deps: Deciding,
  groups: readonly Group[],
  domain: string,
): Promise<readonly DecidedGroup[]> => {
  const sorted = [...groups].sort((one, other) => Number(isRecorded(other)) - Number(isRecorded(one)));
  const all = sorted.map((group) => ({
    group,
    limiter: deps.limiterFor(group),
    request: limitRequestOf(group, domain),
  }));
  const [first, ...more] = all;
  if (first === undefined) return [];
  if (more.length === 0) return [{ group: first.group, decision: await decideAlone(deps, first) }];
  return decideEach(deps, all);
};
