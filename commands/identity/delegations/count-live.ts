/** Holds live delegations to their limits: counted before a delegation is made, and no more once it is revoked. */
import { isLeft, isRight } from 'fp-ts/Either';
import type { Delegation } from '../../../domain/identity/delegation/decider';
import {
  earlierLiveStreams,
  liveDelegationStream,
  liveDelegations,
} from '../../../domain/identity/delegation/live-delegations';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { callerOf } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { liveDelegationProblems } from '../problems';

type Occasion = Pick<CommandRequest<unknown, unknown>, 'tenantId' | 'identity' | 'commandId'>;

/** One that is counted and then not made is counted until it would have expired. Undefined: go on. */
export const countLiveDelegation = async (
  deps: CommandDeps,
  { tenantId, identity, commandId }: Occasion,
  { delegationId, delegatorId, createdAt: at, expiresAt }: Delegation,
): Promise<Problem | undefined> => {
  const loaded = await Promise.all(
    earlierLiveStreams(tenantId, at).map((stream) => loadStream(deps, liveDelegations, stream)),
  );
  const fault = loaded.find(isLeft);
  if (fault !== undefined) return problemOf(fault.left, {});
  const earlier = loaded.filter(isRight).map(({ right: hour }) => hour);
  const counted = await handle(deps, liveDelegations, {
    stream: liveDelegationStream(tenantId, at),
    command: { type: 'CountDelegation', delegationId, delegatorId, expiresAt, earlier, at },
    commandId: derivedId('count-delegation', tenantId, delegationId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: delegationId,
  });
  return isLeft(counted) ? problemOf(counted.left, liveDelegationProblems) : undefined;
};

export const uncountLiveDelegation = async (
  deps: CommandDeps,
  { tenantId, identity, commandId }: Occasion,
  { delegationId, createdAt }: Pick<Delegation, 'delegationId' | 'createdAt'>,
): Promise<Problem | undefined> => {
  const uncounted = await handle(deps, liveDelegations, {
    stream: liveDelegationStream(tenantId, createdAt),
    command: { type: 'UncountDelegation', delegationId },
    commandId: derivedId('uncount-delegation', tenantId, delegationId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: delegationId,
  });
  return isLeft(uncounted) ? problemOf(uncounted.left, liveDelegationProblems) : undefined;
};
