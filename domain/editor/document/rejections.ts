/** Rejections of document commands, and the permission check that they share. */
import type { Either } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import { describeRequiredRole, isPermitted, type Permission } from '../roles';
import type { DocumentEvent } from './events';
import { type DocumentState, type ExistingDocument, roleOf } from './state';

export type DocumentRejection =
  | 'already-member'
  | 'document-deleted'
  | 'document-differs'
  | 'document-has-owner'
  | 'document-not-trashed'
  | 'document-trashed'
  | 'document-unknown'
  | 'invitation-expired'
  | 'invitation-unknown'
  | 'last-owner'
  | 'link-unknown'
  | 'member-unknown'
  | 'role-too-low'
  | 'too-many-invitations'
  | 'too-many-members'
  | 'too-many-named-versions'
  | 'version-unknown';

export type DocumentRefusal = Either<Rejection<DocumentRejection>, never>;
export type DocumentDecision = Either<Rejection<DocumentRejection>, readonly DocumentEvent[]>;

export const documentUnknown = (): DocumentRefusal => reject('document-unknown', 'There is no such document.');
export const documentDeleted = (): DocumentRefusal => reject('document-deleted', 'The document was deleted.');
export const documentTrashed = (): DocumentRefusal => reject('document-trashed', 'The document is in the trash.');
export const lastOwner = (): DocumentRefusal =>
  reject('last-owner', 'The document would have no owner; make another member an owner first.');

/** Undefined if permitted. Without a role, the answer does not reveal whether the document exists. */
export const rejectUnlessPermitted = (
  state: DocumentState,
  by: string,
  act: Permission,
): DocumentRefusal | undefined => {
  const role = roleOf(state, by);
  if (role === undefined) return documentUnknown();
  if (state.kind === 'deleted') return documentDeleted();
  if (!isPermitted(role, act))
    return reject('role-too-low', `${describeRequiredRole(act)} of the document may do this.`);
  return state.kind === 'trashed' && act !== 'dispose' ? documentTrashed() : undefined;
};

export const isExisting = (state: DocumentState): state is ExistingDocument =>
  state.kind === 'active' || state.kind === 'trashed';
