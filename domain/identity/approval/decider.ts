/** Approval: requested by an agent, decided by a person once, and used up by one request of the agent. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApprovalId, ClientId } from '../ids';
import { missingScopes } from '../scopes';
import { type ActionResult, type ApprovalEvent, approvals } from './events';

type DataOf<Type extends ApprovalEvent['type']> = Extract<ApprovalEvent, { type: Type }>['data'];
type Requested = DataOf<'StepUpRequested'>;

/** How long a request waits for a person. */
export const requestSeconds = 900;
/** How long after the approval the agent gets capabilities. */
export const usableSeconds = 300;
/** How long a capability lasts, at most. */
export const capabilitySeconds = 120;
/** How long ago the approver may have signed in. */
export const freshSeconds = 300;

export interface IssuedCapability
  extends Pick<
    DataOf<'CapabilityIssued'>,
    'capabilityHash' | 'thumbprint' | 'clientId' | 'agentEpoch' | 'issuedAt' | 'expiresAt'
  > {}

export interface Approval extends Requested {
  readonly kind: 'approval';
  readonly status: 'PENDING' | 'APPROVED' | 'DENIED' | 'WITHDRAWN' | 'CONSUMED';
  readonly approved: DataOf<'StepUpApproved'> | null;
  readonly deniedBy: PrincipalId | null;
  /** The latest replaces those before it. */
  readonly capability: IssuedCapability | null;
  readonly consumed: DataOf<'CapabilityConsumed'> | null;
  readonly isAnswered: boolean;
}

export type ApprovalState = { readonly kind: 'none' } | Approval;

/** A person, by the token that the person presents. */
export interface Approver {
  readonly principalId: PrincipalId;
  readonly isPerson: boolean;
  readonly held: readonly string[];
  readonly securityEpoch: number;
  /** Null: the token carries no sign-in. */
  readonly authenticatedAt: Instant | null;
  readonly methods: readonly string[];
}

export interface RequestStepUp {
  readonly type: 'RequestStepUp';
  readonly approvalId: ApprovalId;
  readonly action: Omit<Requested, 'approvalId' | 'requestedAt' | 'expiresAt'>;
  readonly isAgent: boolean;
  /** Scopes of the agent's token. */
  readonly held: readonly string[];
  /** When its delegation ends; null: it acts by none. */
  readonly endsAt: Instant | null;
  readonly at: Instant;
}

export interface ApproveStepUp {
  readonly type: 'ApproveStepUp';
  readonly approver: Approver;
  /** Of the action that the person was shown. */
  readonly actionHash: string;
  readonly at: Instant;
}

export interface DenyStepUp {
  readonly type: 'DenyStepUp';
  readonly approver: Pick<Approver, 'principalId' | 'isPerson'>;
  readonly reason: string;
  readonly at: Instant;
}

export interface WithdrawStepUp {
  readonly type: 'WithdrawStepUp';
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

export interface IssueCapability {
  readonly type: 'IssueCapability';
  readonly by: string;
  readonly capability: Omit<IssuedCapability, 'issuedAt' | 'expiresAt'>;
  readonly at: Instant;
}

/** What the gateway found in the request, and whether everyone involved may still act. */
export interface ConsumeCapability {
  readonly type: 'ConsumeCapability';
  readonly by: string;
  readonly capabilityHash: string;
  readonly actionHash: string;
  readonly thumbprint: string | null;
  readonly clientId: ClientId | null;
  readonly jti: string;
  readonly requestId: string;
  readonly policyVersion: number | null;
  /** The agent is active and of the same epoch, its delegation is open, the approver may still approve. */
  readonly isInForce: boolean;
  readonly at: Instant;
}

export interface RecordAnswer {
  readonly type: 'RecordAnswer';
  readonly requestId: string;
  readonly status: number;
  readonly at: Instant;
}

export type ApprovalCommand =
  | RequestStepUp
  | ApproveStepUp
  | DenyStepUp
  | WithdrawStepUp
  | IssueCapability
  | ConsumeCapability
  | RecordAnswer;

export type ApprovalRejection =
  | 'action-differs'
  | 'agents-only'
  | 'approval-decided'
  | 'approval-differs'
  | 'approval-expired'
  | 'approval-pending'
  | 'approval-unknown'
  | 'approver-involved'
  | 'approver-not-a-person'
  | 'capability-invalid'
  | 'capability-spent'
  | 'insufficient-user-authentication'
  | 'scope-not-held';

type Decision = Either<Rejection<ApprovalRejection>, readonly ApprovalEvent[]>;
type Refused = Either<Rejection<ApprovalRejection>, never> | undefined;

const unknown = () => reject('approval-unknown', 'There is no such approval.');
const decidedAlready = ({ status }: Approval) =>
  reject('approval-decided', `The request is ${status.toLowerCase()} already.`);

const request = (command: RequestStepUp, state: ApprovalState): Decision => {
  const { approvalId, action, isAgent, held, endsAt, at: requestedAt } = command;
  if (state.kind === 'approval')
    return state.agentId === action.agentId && state.actionHash === action.actionHash
      ? right([])
      : reject('approval-differs', 'Another approval has this id.');
  if (!isAgent) return reject('agents-only', 'Only an agent asks for the approval of an action.');
  const missing = missingScopes(action.scopes, held);
  if (missing.length > 0)
    return reject('scope-not-held', `The token lacks what the action needs: ${missing.join(', ')}.`);
  const waits = plusSeconds(requestedAt, requestSeconds);
  const expiresAt = endsAt !== null && endsAt < waits ? endsAt : waits;
  if (expiresAt <= requestedAt) return reject('approval-expired', 'The delegation of the agent has ended.');
  return right([{ type: 'StepUpRequested', data: { approvalId, ...action, requestedAt, expiresAt } }]);
};

/** The agent, agents before it and their delegator do not approve what they request. */
const isInvolved = ({ agentId, onBehalfOf, priorActors }: Approval, principalId: PrincipalId): boolean =>
  [agentId, onBehalfOf, ...priorActors].includes(principalId);

const isFresh = (authenticatedAt: Instant | null, at: Instant): authenticatedAt is Instant =>
  authenticatedAt !== null && at <= plusSeconds(authenticatedAt, freshSeconds);

const unlessApprover = ({ approver, at, actionHash }: ApproveStepUp, state: Approval): Refused => {
  const { principalId, isPerson, held } = approver;
  if (!isPerson) return reject('approver-not-a-person', 'Only a person approves, in their own name.');
  if (isInvolved(state, principalId))
    return reject('approver-involved', 'The agent acts for you, so another person has to approve this.');
  const missing = missingScopes(state.scopes, held);
  if (missing.length > 0)
    return reject('scope-not-held', `You lack what the action needs yourself: ${missing.join(', ')}.`);
  if (actionHash !== state.actionHash) return reject('action-differs', 'The request is for another action.');
  return isFresh(approver.authenticatedAt, at)
    ? undefined
    : reject(
        'insufficient-user-authentication',
        `This needs a sign-in within the last ${freshSeconds / 60} minutes. Sign in again.`,
      );
};

const approve = (command: ApproveStepUp, state: ApprovalState): Decision => {
  if (state.kind === 'none') return unknown();
  const { approver, at: approvedAt } = command;
  const refused = unlessApprover(command, state);
  if (refused !== undefined) return refused;
  const { approvalId, agentId, status, approved } = state;
  if (approved?.approverId === approver.principalId && status === 'APPROVED') return right([]);
  if (status !== 'PENDING') return decidedAlready(state);
  if (state.expiresAt <= approvedAt) return reject('approval-expired', 'The request has expired.');
  const data = {
    ...{ approvalId, agentId, approverId: approver.principalId, approverEpoch: approver.securityEpoch },
    ...{ authTime: approver.authenticatedAt as Instant, amr: [...approver.methods] },
    ...{ approvedAt, usableUntil: plusSeconds(approvedAt, usableSeconds) },
  };
  return right([{ type: 'StepUpApproved', data }]);
};

const deny = ({ approver, reason, at: deniedAt }: DenyStepUp, state: ApprovalState): Decision => {
  if (state.kind === 'none') return unknown();
  const { approvalId, agentId, status, deniedBy } = state;
  if (!approver.isPerson) return reject('approver-not-a-person', 'Only a person decides, in their own name.');
  if (status === 'DENIED' && deniedBy === approver.principalId) return right([]);
  // What was approved can be taken back until it is used.
  if (status !== 'PENDING' && status !== 'APPROVED') return decidedAlready(state);
  const data = { approvalId, agentId, approverId: approver.principalId, reason, deniedAt };
  return right([{ type: 'StepUpDenied', data }]);
};

const withdraw = ({ by, reason, at: withdrawnAt }: WithdrawStepUp, state: ApprovalState): Decision => {
  // Those of other agents look unknown.
  if (state.kind === 'none' || state.agentId !== by) return unknown();
  const { approvalId, agentId, status } = state;
  if (status === 'WITHDRAWN') return right([]);
  if (status !== 'PENDING' && status !== 'APPROVED') return decidedAlready(state);
  return right([{ type: 'StepUpWithdrawn', data: { approvalId, agentId, reason, withdrawnAt } }]);
};

const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

const issue = ({ by, capability, at: issuedAt }: IssueCapability, state: ApprovalState): Decision => {
  if (state.kind === 'none' || state.agentId !== by) return unknown();
  const { approvalId, agentId, approved, status } = state;
  if (status === 'PENDING')
    return state.expiresAt <= issuedAt
      ? reject('approval-expired', 'The request has expired.')
      : reject('approval-pending', 'No person has decided yet.');
  if (status !== 'APPROVED' || approved === null) return decidedAlready(state);
  if (approved.usableUntil <= issuedAt) return reject('approval-expired', 'The approval has expired.');
  if (state.capability?.capabilityHash === capability.capabilityHash) return right([]);
  const expiresAt = earlier(plusSeconds(issuedAt, capabilitySeconds), approved.usableUntil);
  return right([{ type: 'CapabilityIssued', data: { approvalId, agentId, ...capability, issuedAt, expiresAt } }]);
};

/** One refusal for all that could be guessed at. */
const invalid = () =>
  reject('capability-invalid', 'The capability is not valid for this request: it is for one action of one agent.');

const isHolder = (command: ConsumeCapability, { agentId, actionHash, capability }: Approval): boolean =>
  command.by === agentId &&
  command.actionHash === actionHash &&
  command.capabilityHash === capability?.capabilityHash &&
  command.thumbprint === capability.thumbprint &&
  command.clientId === capability.clientId;

const consume = (command: ConsumeCapability, state: ApprovalState): Decision => {
  if (state.kind === 'none' || !isHolder(command, state) || state.capability === null) return invalid();
  const { approvalId, agentId, status, capability } = state;
  if (status === 'CONSUMED') return reject('capability-spent', 'The capability was used already.');
  const { capabilityHash, jti, requestId, policyVersion, isInForce, at: consumedAt } = command;
  if (status !== 'APPROVED' || capability.expiresAt <= consumedAt || !isInForce) return invalid();
  const data = { approvalId, agentId, capabilityHash, jti, requestId, policyVersion, consumedAt };
  return right([{ type: 'CapabilityConsumed', data }]);
};

const firstFailure = 400;
const resultOf = (status: number): ActionResult => (status < firstFailure ? 'SUCCEEDED' : 'FAILED');

const answer = ({ requestId, status, at: answeredAt }: RecordAnswer, state: ApprovalState): Decision => {
  if (state.kind === 'none' || state.consumed === null || state.consumed.requestId !== requestId) return unknown();
  if (state.isAnswered) return right([]);
  const { approvalId, agentId } = state;
  const data = { approvalId, agentId, requestId, status, result: resultOf(status), answeredAt };
  return right([{ type: 'ApprovedActionAnswered', data }]);
};

const decide = (command: ApprovalCommand, state: ApprovalState): Decision => {
  switch (command.type) {
    case 'RequestStepUp':
      return request(command, state);
    case 'ApproveStepUp':
      return approve(command, state);
    case 'DenyStepUp':
      return deny(command, state);
    case 'WithdrawStepUp':
      return withdraw(command, state);
    case 'IssueCapability':
      return issue(command, state);
    case 'ConsumeCapability':
      return consume(command, state);
    case 'RecordAnswer':
      return answer(command, state);
  }
};

const requested = (data: Requested): Approval => ({
  kind: 'approval',
  status: 'PENDING',
  ...data,
  ...{ approved: null, deniedBy: null, capability: null, consumed: null, isAnswered: false },
});

const evolve = (state: ApprovalState, event: ApprovalEvent): ApprovalState => {
  if (event.type === 'StepUpRequested') return state.kind === 'none' ? requested(event.data) : state;
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'StepUpApproved':
      return { ...state, status: 'APPROVED', approved: event.data };
    case 'StepUpDenied':
      return { ...state, status: 'DENIED', deniedBy: event.data.approverId };
    case 'StepUpWithdrawn':
      return { ...state, status: 'WITHDRAWN' };
    case 'CapabilityIssued':
      return { ...state, capability: event.data };
    case 'CapabilityConsumed':
      return { ...state, status: 'CONSUMED', consumed: event.data };
    case 'ApprovedActionAnswered':
      return { ...state, isAnswered: true };
  }
};

export const approval: Decider<ApprovalCommand, ApprovalState, ApprovalEvent, ApprovalRejection> = {
  family: approvals,
  initial: { kind: 'none' },
  evolve,
  decide,
};
