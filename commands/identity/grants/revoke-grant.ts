/** Ends grants and refresh families, each once, for routes and for whoever finds out that they must end. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type GrantRejection, grant } from '../../../domain/identity/grant/decider';
import type { GrantEvent } from '../../../domain/identity/grant/events';
import type { FamilyId, GrantId } from '../../../domain/identity/ids';
import { type FamilyRejection, refreshFamily } from '../../../domain/identity/refresh-family/decider';
import type { RefreshFamilyEvent } from '../../../domain/identity/refresh-family/events';
import { grantStream, refreshFamilyStream } from '../../../domain/identity/streams';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { HandleDeps, Handled, Refusal } from '../../kernel/request';

export interface Revocation {
  readonly tenantId: TenantId;
  readonly reason: string;
  /** Only of this principal; null: of whomever. */
  readonly ownedBy: string | null;
  readonly actor: string;
  readonly requestId: string;
  /** Names the command: said again, it is the same one. */
  readonly commandId: string;
}

const commandRequestOf = (revocation: Revocation, stream: string) => {
  const { tenantId: tenant, actor, requestId: correlationId, commandId, reason } = revocation;
  return { stream, tenant, actor, correlationId, commandId: derivedId(commandId, stream), fingerprint: reason };
};

/** In the stream that rotations go through: of a use and a revocation at once, the one that comes second sees the first. */
export const revokeFamily = (
  deps: HandleDeps,
  familyId: FamilyId,
  revocation: Revocation,
): Promise<Either<Refusal<FamilyRejection>, Handled<RefreshFamilyEvent>>> => {
  const { reason, ownedBy } = revocation;
  const request = commandRequestOf(revocation, refreshFamilyStream(revocation.tenantId, familyId));
  return handle(deps, refreshFamily, { ...request, command: { type: 'RevokeFamily', reason, ownedBy } });
};

type RevocationResult<Code extends string, Event extends DomainEvent> = Promise<
  Either<Refusal<Code>, Handled<Event> | undefined>
>;

/** Of a grant that is not theirs, or has none, nothing is ended. */
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
  // It was never opened: there is nothing to end.
  return isLeft(ended) && ended.left.code === 'family-unknown' ? right(undefined) : ended;
};

/** Its refresh family first: a grant that is over has none that lives. Tokens of it are denied from its own event on. */
export const revokeGrant = async (
  deps: HandleDeps,
  grantId: GrantId,
  revocation: Revocation,
): Promise<Either<Refusal<GrantRejection | FamilyRejection>, Handled<GrantEvent>>> => {
  const { reason, ownedBy, tenantId } = revocation;
  const ended = await revokeFamilyOf(deps, grantId, revocation);
  if (isLeft(ended)) return ended;
  const request = commandRequestOf(revocation, grantStream(tenantId, grantId));
  return handle(deps, grant, { ...request, command: { type: 'RevokeGrant', reason, ownedBy } });
};
