/** Decides all descriptor groups of a request: every group is charged, or none. */
import { status } from '@grpc/grpc-js';
import type { Decision, LimitRequest, PolicyLimiter, Weight } from '../../../packages/ratelimit/src/index';
import { createDecide, type DecisionDeps } from '../service/decision-service';
import type { DescriptorGroup } from './descriptors';
import { createLimitRequest, isUsageReport, weightOfHits } from './descriptors';
import { GrpcError } from './grpc-server';

export interface GroupDecisionDeps {
  readonly limiterFor: (group: DescriptorGroup) => PolicyLimiter;
  readonly onDecision: DecisionDeps['onDecision'];
}

/** A group with its limiter and request. */
interface GroupRequest {
  readonly group: DescriptorGroup;
  readonly limiter: PolicyLimiter;
  readonly request: Omit<LimitRequest, 'weight'>;
}

export interface DecidedGroup {
  readonly group: DescriptorGroup;
  readonly decision: Decision;
}

export const isDenied = ({ decision }: Pick<DecidedGroup, 'decision'>): boolean => decision.outcome === 'deny';

const createGroupDecide = (
  deps: GroupDecisionDeps,
  { limiter, request }: GroupRequest,
  kind: 'check' | 'reserve' | 'peek',
) => {
  const decide = createDecide({ limiter: () => limiter, onDecision: deps.onDecision });
  return (weight: Weight): Promise<Decision> => decide(kind, { ...request, weight });
};

const settle = async (
  { limiter, request }: GroupRequest,
  { reservationId }: Decision,
  actual: Weight,
): Promise<void> => {
  const { tenant } = request.dimensions;
  if (reservationId === undefined) return;
  await limiter.settle({ reservationId, actual, ...(tenant === undefined ? {} : { tenant }) });
};

/** Charges hits that were used already, whether or not the limit has room. */
const recordUsage = async (deps: GroupDecisionDeps, groupRequest: GroupRequest): Promise<Decision> => {
  const { group } = groupRequest;
  const decision = await createGroupDecide(deps, groupRequest, 'reserve')(weightOfHits(group, 0));
  await settle(groupRequest, decision, weightOfHits(group, group.hits));
  return decision;
};

/** Refunds hits that were charged but not used. */
const refundUsage = async (deps: GroupDecisionDeps, groupRequest: GroupRequest): Promise<Decision> => {
  const { group, limiter, request } = groupRequest;
  const outcome = await limiter.reward({ ...request, weight: weightOfHits(group, group.hits) });
  if (outcome === 'unavailable') throw new GrpcError(status.UNAVAILABLE, 'Refunds are not possible right now.');
  return createGroupDecide(deps, groupRequest, 'peek')(weightOfHits(group, 1));
};

/** Without hits it only peeks whether one more would pass. */
const decideAlone = (deps: GroupDecisionDeps, groupRequest: GroupRequest): Promise<Decision> => {
  const { group } = groupRequest;
  if (group.isNegative) return refundUsage(deps, groupRequest);
  if (isUsageReport(group)) return recordUsage(deps, groupRequest);
  if (group.hits === 0) return createGroupDecide(deps, groupRequest, 'peek')(weightOfHits(group, 1));
  return createGroupDecide(deps, groupRequest, 'check')(weightOfHits(group, group.hits));
};

/** Usage reports and refunds are recorded whatever the other groups decide. */
const recordsUsage = (group: DescriptorGroup): boolean => group.isNegative || isUsageReport(group);
const isReserved = ({ group }: GroupRequest): boolean => !recordsUsage(group) && group.hits > 0;

interface DecidedGroupRequest extends DecidedGroup {
  readonly request: GroupRequest;
}

/** Reserves group by group, so that a later denial can undo the earlier charges. Stops at the first denial. */
const reserveEach = async (
  deps: GroupDecisionDeps,
  all: readonly GroupRequest[],
): Promise<readonly DecidedGroupRequest[]> => {
  const done: DecidedGroupRequest[] = [];
  for (const groupRequest of all) {
    const { group } = groupRequest;
    const deciding = isReserved(groupRequest)
      ? createGroupDecide(deps, groupRequest, 'reserve')(weightOfHits(group, group.hits))
      : decideAlone(deps, groupRequest);
    done.push({ request: groupRequest, group, decision: await deciding });
    if (done.some(isDenied)) break;
  }
  return done;
};

/** The state of the other groups after a denial, which took nothing of them. */
const peekGroup = (deps: GroupDecisionDeps, groupRequest: GroupRequest): Promise<Decision> =>
  createGroupDecide(deps, groupRequest, 'peek')(weightOfHits(groupRequest.group, Math.max(1, groupRequest.group.hits)));

const decideEach = async (deps: GroupDecisionDeps, all: readonly GroupRequest[]): Promise<readonly DecidedGroup[]> => {
  const done = await reserveEach(deps, all);
  const refused = done.find(isDenied);
  const reserved = done.filter(({ request: groupRequest }) => isReserved(groupRequest));
  const ends = reserved.map(({ request: groupRequest, group, decision }) =>
    settle(groupRequest, decision, weightOfHits(group, refused === undefined ? group.hits : 0)),
  );
  await Promise.all(ends);
  if (refused === undefined) return done;
  const others = all.filter((groupRequest) => groupRequest !== refused.request);
  const known = (groupRequest: GroupRequest) =>
    recordsUsage(groupRequest.group) ? done.find((one) => one.request === groupRequest)?.decision : undefined;
  const peeked = others.map(async (groupRequest) => ({
    group: groupRequest.group,
    decision: known(groupRequest) ?? (await peekGroup(deps, groupRequest)),
  }));
  return [refused, ...(await Promise.all(peeked))];
};

export const decideGroups = async (
  deps: GroupDecisionDeps,
  groups: readonly DescriptorGroup[],
  domain: string,
): Promise<readonly DecidedGroup[]> => {
  const sorted = [...groups].sort((one, other) => Number(recordsUsage(other)) - Number(recordsUsage(one)));
  const all = sorted.map((group) => ({
    group,
    limiter: deps.limiterFor(group),
    request: createLimitRequest(group, domain),
  }));
  const [first, ...more] = all;
  if (first === undefined) return [];
  if (more.length === 0) return [{ group: first.group, decision: await decideAlone(deps, first) }];
  return decideEach(deps, all);
};
