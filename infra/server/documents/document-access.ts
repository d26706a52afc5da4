/** Reads a document's state and roles from its stream, always up to date, and decides what a role permits. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { documentStream, documents } from '../../../domain/editor/document/events';
import { type DocumentState, evolve, noDocument, roleOf } from '../../../domain/editor/document/state';
import type { DocumentKey } from '../../../domain/editor/ids';
import { describeRequiredRole, isPermitted, type Permission, type Role } from '../../../domain/editor/roles';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { EventStore, EventStoreFault } from '../../ports/event-store';
import { createAggregateCache } from '../aggregates/aggregate-cache';
import { loadAggregate } from '../aggregates/load-aggregate';
import type { LoadedAggregate } from '../aggregates/loaded-aggregate';

export interface DocumentAccess {
  readonly state: 'none' | 'active' | 'trashed' | 'deleted';
  readonly title: string;
  /** Of the stream's last event; -1 where there is no such stream. */
  readonly revision: number;
  /** Of the stream's last event; 0 where there is no such stream. */
  readonly position: bigint;
  readonly roleOf: (principalId: string) => Role | undefined;
}

/** The read begins after the call, so a role that was revoked before is not in the result. */
export type AccessReader = (key: DocumentKey) => Promise<Either<EventStoreFault, DocumentAccess>>;

const rules = { family: documents, initial: noDocument, evolve };

const accessOf = ({ state, revision, position }: LoadedAggregate<DocumentState>): DocumentAccess => ({
  state: state.kind,
  title: 'title' in state ? state.title : '',
  revision,
  position,
  roleOf: (principalId) => roleOf(state, principalId),
});

/** `store` should share reads (`coalesceReads`), so that concurrent calls cost one read. */
export const openAccessReader = (store: Pick<EventStore, 'read'>): AccessReader => {
  const cache = createAggregateCache();
  return async ({ tenant, documentId }) => {
    const loaded = await loadAggregate({ store, cache }, rules, documentStream(tenant, documentId));
    return isLeft(loaded) ? loaded : right(accessOf(loaded.right));
  };
};

type AccessRefusal = 'document-unknown' | 'document-deleted' | 'document-trashed' | 'role-too-low';

/** What is done with the content of a document that is in use. Without a role, the answer does not reveal whether the document exists. */
export const requirePermission = (
  access: DocumentAccess,
  principalId: string,
  act: Permission,
): Either<Rejection<AccessRefusal>, DocumentAccess> => {
  const { state, roleOf: roleIn } = access;
  const role = roleIn(principalId);
  if (state === 'none' || role === undefined)
    return reject('document-unknown', 'There is no such document, or it is not shared with the caller.');
  if (state === 'deleted') return reject('document-deleted', 'The document was deleted.');
  if (state === 'trashed') return reject('document-trashed', 'The document is in the trash.');
  return isPermitted(role, act) ? right(access) : reject('role-too-low', `${describeRequiredRole(act)} may do this.`);
};
