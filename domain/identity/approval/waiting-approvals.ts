/**
 * Requests of an agent that wait for a person, counted per hour in which they were made: none waits longer than a quarter of an hour, so two
 * streams have all of them and every stream stays short.
 */
import { type Either, right } from 'fp-ts/Either';
import { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { aggregate } from '../../kernel/family';
import type { PrincipalId, TenantId } from '../../kernel/ids';
import { hourOf, plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { ApprovalId } from '../ids';

/** More than a person reads in a quarter of an hour. */
export const maxWaitingOfAgent = 20;

const waitingApprovalEvents = aggregate(
  { context: 'identity', name: 'waitingApprovals' },
  {
    ApprovalCounted: { v: 1, data: { approvalId: ApprovalId, expiresAt: Instant } },
    ApprovalUncounted: { v: 1, data: { approvalId: ApprovalId } },
  },
);
export type WaitingApprovalEvent = typeof waitingApprovalEvents.Event;

/** When each expires. */
export type WaitingApprovals = ReadonlyMap<ApprovalId, Instant>;

export const waitingApprovalStream = (tenant: TenantId, agentId: PrincipalId, requestedAt: Instant): string =>
  waitingApprovalEvents.stream(tenant, `${agentId}.${hourOf(requestedAt)}`);

const hourSeconds = 3_600;

/** Of the hour before. */
export const earlierWaitingStream = (tenant: TenantId, agentId: PrincipalId, at: Instant): string =>
  waitingApprovalStream(tenant, agentId, plusSeconds(at, -hourSeconds));

export interface CountApproval {
  readonly type: 'CountApproval';
  readonly approvalId: ApprovalId;
  readonly expiresAt: Instant;
  /** Of the hour before. */
  readonly earlier: WaitingApprovals;
  readonly at: Instant;
}

export interface UncountApproval {
  readonly type: 'UncountApproval';
  readonly approvalId: ApprovalId;
}

export type WaitingApprovalRejection = 'too-many-approvals';

type Decision = Either<Rejection<WaitingApprovalRejection>, readonly WaitingApprovalEvent[]>;

const count = ({ approvalId, expiresAt, earlier, at }: CountApproval, state: WaitingApprovals): Decision => {
  if (state.has(approvalId)) return right([]);
  const waiting = [...earlier.values(), ...state.values()].filter((until) => until > at);
  if (waiting.length >= maxWaitingOfAgent)
    return reject(
      'too-many-approvals',
      `At most ${maxWaitingOfAgent} requests of an agent wait for a person: withdraw one, or wait for a decision.`,
    );
  return right([{ type: 'ApprovalCounted', data: { approvalId, expiresAt } }]);
};

const evolve = (state: WaitingApprovals, { type, data }: WaitingApprovalEvent): WaitingApprovals => {
  if (type === 'ApprovalCounted') return new Map(state).set(data.approvalId, data.expiresAt);
  const rest = new Map(state);
  rest.delete(data.approvalId);
  return rest;
};

export const waitingApprovals: Decider<
  CountApproval | UncountApproval,
  WaitingApprovals,
  WaitingApprovalEvent,
  WaitingApprovalRejection
> = {
  family: waitingApprovalEvents,
  initial: new Map(),
  evolve,
  decide: (command, state) => {
    if (command.type === 'CountApproval') return count(command, state);
    const { approvalId } = command;
    return right(state.has(approvalId) ? [{ type: 'ApprovalUncounted', data: { approvalId } }] : []);
  },
};
