/** Holds an agent's requests for approval to their limit: counted before a request is made, and no more once it is decided or withdrawn. */
import { isLeft } from 'fp-ts/Either';
import { type ApprovalCommand, approval } from '../../../domain/identity/approval/decider';
import { type ApprovalEvent, approvalStream } from '../../../domain/identity/approval/events';
import {
  type CountApproval,
  earlierWaitingStream,
  type UncountApproval,
  waitingApprovalStream,
  waitingApprovals,
} from '../../../domain/identity/approval/waiting-approvals';
import type { ApprovalId } from '../../../domain/identity/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { callerOf } from '../../kernel/handle-request';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { waitingApprovalProblems } from '../problems';

type Occasion = Pick<CommandRequest<unknown, unknown>, 'tenantId' | 'identity' | 'commandId'>;
type Requested = Extract<ApprovalEvent, { type: 'StepUpRequested' }>['data'];

const record = async (
  deps: CommandDeps,
  { tenantId, identity, commandId }: Occasion,
  {
    agentId,
    requestedAt,
    command,
  }: Pick<Requested, 'agentId' | 'requestedAt'> & { command: CountApproval | UncountApproval },
): Promise<Problem | undefined> => {
  const recorded = await handle(deps, waitingApprovals, {
    stream: waitingApprovalStream(tenantId, agentId, requestedAt),
    command,
    commandId: derivedId(command.type, tenantId, command.approvalId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: command.approvalId,
  });
  return isLeft(recorded) ? problemOf(recorded.left, waitingApprovalProblems) : undefined;
};

/** One that is counted and then not made is counted until it would have expired. Undefined: go on. */
export const countWaitingApproval = async (
  deps: CommandDeps & StreamSource,
  occasion: Occasion,
  {
    approvalId,
    agentId,
    requestedAt,
    expiresAt,
  }: Pick<Requested, 'approvalId' | 'agentId' | 'requestedAt' | 'expiresAt'>,
): Promise<Problem | undefined> => {
  const stream = earlierWaitingStream(occasion.tenantId, agentId, requestedAt);
  const earlier = await loadStream(deps, waitingApprovals, stream);
  if (isLeft(earlier)) return problemOf(earlier.left, {});
  const command = { type: 'CountApproval' as const, approvalId, expiresAt, earlier: earlier.right, at: requestedAt };
  return record(deps, occasion, { agentId, requestedAt, command });
};

/** Before a decision is recorded that will be made. Undefined: go on. */
export const uncountDecidedApproval = async (
  deps: CommandDeps & StreamSource,
  occasion: Occasion,
  { approvalId, command }: { readonly approvalId: ApprovalId; readonly command: ApprovalCommand },
): Promise<Problem | undefined> => {
  const found = await loadStream(deps, approval, approvalStream(occasion.tenantId, approvalId));
  if (isLeft(found)) return problemOf(found.left, {});
  const { right: state } = found;
  // The refusal is the command's own, made at the revision that it reads.
  if (state.kind === 'none' || state.status !== 'PENDING' || isLeft(approval.decide(command, state))) return undefined;
  const { agentId, requestedAt } = state;
  return record(deps, occasion, { agentId, requestedAt, command: { type: 'UncountApproval', approvalId } });
};
