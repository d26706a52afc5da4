/** Revokes grants and refresh families. Repeating a revocation changes nothing. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type GrantRejection, grant } from '../../../domain/identity/grant/decider';
import { type GrantEvent, grantStream } from '../../../domain/identity/grant/events';
import type { FamilyId, GrantId } from '../../../domain/identity/ids';
import { type FamilyRejection, refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { type RefreshFamilyEvent, refreshFamilyStream } from '../../../domain/identity/refresh-family/events';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor, HandleDeps, HandledCommand, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';

export interface Revocation {
  readonly tenantId: TenantId;
  readonly reason: string;
  /** Only if this principal owns it; null: any owner. */
  readonly ownedBy: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  /** Idempotency key of the command. */
  readonly commandId: string;
}

const commandRequestOf = (revocation: Revocation, stream: string) => {
  const { tenantId: tenant, actor, requestId: correlationId, commandId, reason } = revocation;
  return { stream, tenant, actor, correlationId, commandId: derivedId(commandId, stream), fingerprint: reason };
};

/** Appends to the stream of rotations: of a concurrent use and revocation, the second sees the first. */
export const revokeFamily = (
  deps: HandleDeps,
  familyId: FamilyId,
  revocation: Revocation,
): Promise<Either<Refusal<FamilyRejection>, HandledCommand<RefreshFamilyEvent>>> => {
  const { reason, ownedBy } = revocation;
  const request = commandRequestOf(revocation, refreshFamilyStream(revocation.tenantId, familyId));
  return handle(deps, refreshFamily, { ...request, command: { type: 'RevokeFamily', reason, ownedBy } });
};

type RevocationResult<Code extends string, Event extends DomainEvent> = Promise<
  Either<Refusal<Code>, HandledCommand<Event> | undefined>
>;

/** Returns undefined for a grant of another owner, or without a family. */
export const revokeFamilyOf = async (
  deps: HandleDeps,
  grantId: GrantId,
  revocation: Revocation,
): RevocationResult<FamilyRejection, RefreshFamilyEvent> => {
  const loaded = await loadStream(deps, grant, grantStream(revocation.tenantId, grantId));
  if (isLeft(loaded)) return loaded;
  const { ownedBy } = revocation;
  const found = loaded.right;
  if (found.kind === 'none' || (ownedBy !== null && found.principalId !== ownedBy)) return right(undefined);
  if (found.refreshFamilyId === null) return right(undefined);
  const ended = await revokeFamily(deps, found.refreshFamilyId, revocation);
  // The family was never opened.
  return isLeft(ended) && ended.left.code === 'family-unknown' ? right(undefined) : ended;
};

/** Revokes the family first, so a revoked grant never has an active one. Access tokens are denied from the grant's event on. */
export const revokeGrant = async (
  deps: HandleDeps,
  grantId: GrantId,
  revocation: Revocation,
): Promise<Either<Refusal<GrantRejection | FamilyRejection>, HandledCommand<GrantEvent>>> => {
  const { reason, ownedBy, tenantId } = revocation;
  const ended = await revokeFamilyOf(deps, grantId, revocation);
  if (isLeft(ended)) return ended;
  const request = commandRequestOf(revocation, grantStream(tenantId, grantId));
  return handle(deps, grant, { ...request, command: { type: 'RevokeGrant', reason, ownedBy } });
};
