/**
 * Live delegations of a tenant, counted per hour in which they were made: none lives longer than eight hours, so nine streams have all of them
 * and every stream stays short.
 */
import { type Either, right } from 'fp-ts/Either';
import { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { aggregate } from '../../kernel/family';
import { PrincipalId, type TenantId } from '../../kernel/ids';
import { hourOf, plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { DelegationId } from '../ids';
import { maxDelegationSeconds } from './decider';

export const maxLiveOfDelegator = 100;
export const maxLiveOfTenant = 10_000;

const liveDelegationEvents = aggregate(
  { context: 'identity', name: 'liveDelegations' },
  {
    DelegationCounted: {
      v: 1,
      data: { delegationId: DelegationId, delegatorId: PrincipalId, expiresAt: Instant },
    },
    DelegationUncounted: { v: 1, data: { delegationId: DelegationId } },
  },
);
export type LiveDelegationEvent = typeof liveDelegationEvents.Event;

interface CountedDelegation {
  readonly delegatorId: PrincipalId;
  readonly expiresAt: Instant;
}

/** By the end of their ids, so that an event copies a small map only. */
export type LiveDelegations = ReadonlyMap<string, ReadonlyMap<DelegationId, CountedDelegation>>;

const partOf = (delegationId: DelegationId): string => delegationId.slice(-2);

const isCounted = (state: LiveDelegations, delegationId: DelegationId): boolean =>
  state.get(partOf(delegationId))?.has(delegationId) === true;

const countedIn = (state: LiveDelegations): readonly CountedDelegation[] =>
  [...state.values()].flatMap((part) => [...part.values()]);

export const liveDelegationStream = (tenant: TenantId, createdAt: Instant): string =>
  liveDelegationEvents.stream(tenant, hourOf(createdAt));

const hourSeconds = 3_600;

/** Of the hours before, in which delegations were made that may be live. */
export const earlierLiveStreams = (tenant: TenantId, at: Instant): readonly string[] =>
  Array.from({ length: maxDelegationSeconds / hourSeconds }, (_, index) =>
    liveDelegationStream(tenant, plusSeconds(at, -hourSeconds * (index + 1))),
  );

export interface CountDelegation {
  readonly type: 'CountDelegation';
  readonly delegationId: DelegationId;
  readonly delegatorId: PrincipalId;
  readonly expiresAt: Instant;
  /** Of the hours before. */
  readonly earlier: readonly LiveDelegations[];
  readonly at: Instant;
}

export interface UncountDelegation {
  readonly type: 'UncountDelegation';
  readonly delegationId: DelegationId;
}

export type LiveDelegationRejection = 'too-many-delegations';

const count = (
  { delegationId, delegatorId, expiresAt, earlier, at }: CountDelegation,
  state: LiveDelegations,
): Either<Rejection<LiveDelegationRejection>, readonly LiveDelegationEvent[]> => {
  if (isCounted(state, delegationId)) return right([]);
  const live = [...earlier, state].flatMap(countedIn).filter((one) => one.expiresAt > at);
  if (live.filter((one) => one.delegatorId === delegatorId).length >= maxLiveOfDelegator)
    return reject(
      'too-many-delegations',
      `A principal has at most ${maxLiveOfDelegator} live delegations: revoke one.`,
    );
  if (live.length >= maxLiveOfTenant)
    return reject('too-many-delegations', `A tenant has at most ${maxLiveOfTenant} live delegations.`);
  return right([{ type: 'DelegationCounted', data: { delegationId, delegatorId, expiresAt } }]);
};

const evolve = (state: LiveDelegations, event: LiveDelegationEvent): LiveDelegations => {
  const { delegationId } = event.data;
  const part = new Map(state.get(partOf(delegationId)));
  if (event.type === 'DelegationUncounted') part.delete(delegationId);
  else part.set(delegationId, { delegatorId: event.data.delegatorId, expiresAt: event.data.expiresAt });
  return new Map(state).set(partOf(delegationId), part);
};

export const liveDelegations: Decider<
  CountDelegation | UncountDelegation,
  LiveDelegations,
  LiveDelegationEvent,
  LiveDelegationRejection
> = {
  family: liveDelegationEvents,
  initial: new Map(),
  evolve,
  decide: (command, state) => {
    if (command.type === 'CountDelegation') return count(command, state);
    const { delegationId } = command;
    return right(isCounted(state, delegationId) ? [{ type: 'DelegationUncounted', data: { delegationId } }] : []);
  },
};
