/** Ends the delegations made by or for a principal. Read from the log, so that none is missed that a view does not have yet. */
import { isLeft } from 'fp-ts/Either';
import { delegation, maxDelegationSeconds } from '../../../domain/identity/delegation/decider';
import { type DelegationEvent, delegationStream, delegations } from '../../../domain/identity/delegation/events';
import { decodeStored } from '../../../domain/kernel/codec';
import { type PrincipalId, parseStreamName, type TenantId } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { revokeGrant } from '../grants/revoke-grant';
import type { ContainmentOrder } from './containment-order';

/** A delegation that was made earlier has expired; an hour more for clocks. */
const relevantMilliseconds = (maxDelegationSeconds + 3_600) * 1_000;

/** Whose delegations; null: of all principals, or of all tenants. */
export interface DelegationScope {
  readonly tenantId: TenantId | null;
  readonly principalId: PrincipalId | null;
}

type Created = Extract<DelegationEvent, { type: 'DelegationCreated' }>['data'] & { readonly tenantId: TenantId };

const isWithin = ({ tenantId, principalId }: DelegationScope, made: Created): boolean =>
  (tenantId === null || made.tenantId === tenantId) &&
  (principalId === null || made.delegatorId === principalId || made.agentId === principalId);

const creationOf = (stored: StoredEvent): Created | undefined => {
  const named = parseStreamName(stored.stream);
  const event = delegations.decode(stored.type, stored.data);
  if (named === undefined || isLeft(event) || event.right.type !== 'DelegationCreated') return undefined;
  return { ...event.right.data, tenantId: named.tenant };
};

const recordedAt = (stored: StoredEvent): number => {
  const metadata = decodeStored(EventMetadata, stored.metadata);
  return isLeft(metadata) ? Number.POSITIVE_INFINITY : Date.parse(metadata.right.at);
};

const recentDelegations = async (
  store: Pick<EventStore, 'readAll'>,
  scope: DelegationScope,
  now: number,
): Promise<readonly Created[]> => {
  const found: Created[] = [];
  const filter = { types: ['identity.DelegationCreated.'] };
  for await (const stored of store.readAll({ after: null, filter, direction: 'backwards' })) {
    if (recordedAt(stored) < now - relevantMilliseconds) break;
    const made = creationOf(stored);
    if (made !== undefined && isWithin(scope, made)) found.push(made);
  }
  return found;
};

/** The number of delegations; throws while the log does not answer, and a failure is repeated by the caller. */
export const suspendDelegations = async (
  deps: HandleDeps,
  scope: DelegationScope,
  order: ContainmentOrder,
): Promise<number> => {
  const made = await recentDelegations(deps.store, scope, Date.parse(deps.clock.now()));
  for (const { tenantId, delegationId, grantId } of made) {
    const { reason, actor, requestId } = order;
    const stream = delegationStream(tenantId, delegationId);
    const commandId = order.commandId(stream);
    const revocation = { tenantId, reason, ownedBy: null, actor, requestId, commandId };
    const ended = await revokeGrant(deps, grantId, revocation);
    if (isLeft(ended) && ended.left.code !== 'grant-unknown') throw new Error(ended.left.detail);
    const revoked = await handle(deps, delegation, {
      ...{ stream, commandId, actor, correlationId: requestId, tenant: tenantId, fingerprint: order.incidentId },
      command: { type: 'RevokeDelegation', reason, ownedBy: null },
    });
    if (isLeft(revoked)) throw new Error(revoked.left.detail);
  }
  return made.length;
};
