/** A delegation and its parents, as the log has them now: each still open, and made by a principal that may still act. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DelegationLink } from '../../../domain/identity/delegation/attenuation';
import { type Delegation, delegation } from '../../../domain/identity/delegation/decider';
import { delegationStream, maxDelegationDepth } from '../../../domain/identity/delegation/events';
import { type GrantState, grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import type { DelegationId, GrantId } from '../../../domain/identity/ids';
import { session, sessionEpochOf } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';

export interface OpenLink extends DelegationLink {
  readonly delegation: Delegation;
}

interface Moment {
  readonly tenantId: TenantId;
  readonly at: Instant;
}

type Loaded<Value> = Promise<Either<EventStoreFault, Value>>;

const isGrantOpen = async (source: StreamSource, tenantId: TenantId, grantId: GrantId): Loaded<boolean> => {
  const found = await loadStream(source, grant, grantStream(tenantId, grantId));
  if (isLeft(found)) return found;
  const state: GrantState = found.right;
  return right(state.kind === 'grant' && state.status === 'ACTIVE');
};

/** Its own, and the one by which it was made: that of its parent, or of the application that the delegator used. */
const areGrantsOpen = async (
  source: StreamSource,
  tenantId: TenantId,
  { grantId, sourceGrantId }: Delegation,
): Loaded<boolean> => {
  const grantIds = sourceGrantId === null ? [grantId] : [grantId, sourceGrantId];
  for (const one of await Promise.all(grantIds.map((id) => isGrantOpen(source, tenantId, id))))
    if (isLeft(one) || !one.right) return one;
  return right(true);
};

const isSessionOpen = async (
  source: StreamSource,
  { tenantId, at }: Moment,
  { delegation: { sessionId }, delegator }: OpenLink,
): Loaded<boolean> => {
  if (sessionId === null) return right(true);
  const found = await loadStream(source, session, sessionStream(tenantId, sessionId));
  if (isLeft(found)) return found;
  const state = found.right;
  const isOpen = state.kind === 'open' && at < state.session.expiresAt;
  return right(isOpen && sessionEpochOf(state) >= delegator.grantsNotBeforeEpoch);
};

/** Undefined: it has ended, or there is none. */
const loadLink = async (
  source: StreamSource,
  { tenantId, at }: Moment,
  delegationId: DelegationId,
): Loaded<OpenLink | undefined> => {
  const found = await loadStream(source, delegation, delegationStream(tenantId, delegationId));
  if (isLeft(found)) return found;
  const state = found.right;
  if (state.kind === 'none' || state.status !== 'ACTIVE' || state.expiresAt <= at) return right(undefined);
  const [open, loaded] = await Promise.all([
    areGrantsOpen(source, tenantId, state),
    loadPrincipal(source, { tenantId, principalId: state.delegatorId }),
  ]);
  if (isLeft(open)) return open;
  if (isLeft(loaded)) return loaded;
  const delegator = loaded.right;
  const acts = delegator.kind === 'registered' && delegator.status === 'ACTIVE';
  if (!open.right || !acts || state.delegatorEpoch < delegator.grantsNotBeforeEpoch) return right(undefined);
  return right({ delegation: state, delegator });
};

/** From the delegation itself to the one of the person or service at the beginning. Undefined: one of them has ended. */
export const loadDelegationChain = async (
  source: StreamSource,
  moment: Moment,
  delegationId: DelegationId,
): Loaded<readonly [OpenLink, ...OpenLink[]] | undefined> => {
  const links: OpenLink[] = [];
  for (let next: DelegationId | null = delegationId; next !== null && links.length < maxDelegationDepth; ) {
    const link: Either<EventStoreFault, OpenLink | undefined> = await loadLink(source, moment, next);
    if (isLeft(link)) return link;
    if (link.right === undefined) return right(undefined);
    links.push(link.right);
    next = link.right.delegation.parentId;
  }
  const [first, ...more] = links;
  const root = links.at(-1);
  if (first === undefined || root === undefined || root.delegation.parentId !== null) return right(undefined);
  // All links are of the same session.
  const open = await isSessionOpen(source, moment, root);
  if (isLeft(open)) return open;
  return right(open.right ? [first, ...more] : undefined);
};
