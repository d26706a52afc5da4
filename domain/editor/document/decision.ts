/** How deciding about a document ends, and the refusals that several commands share. */
import type { Either } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import type { DocumentEvent } from './events';
import { type Act, mayDo, rolesFor } from './rights';
import { type DocumentState, type LivingDocument, roleOf } from './state';

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

export type Refused = Either<Rejection<DocumentRejection>, never>;
export type Decision = Either<Rejection<DocumentRejection>, readonly DocumentEvent[]>;

export const documentUnknown = (): Refused => reject('document-unknown', 'There is no such document.');
export const documentDeleted = (): Refused => reject('document-deleted', 'The document was deleted.');
export const documentTrashed = (): Refused => reject('document-trashed', 'The document is in the trash.');
export const lastOwner = (): Refused =>
  reject('last-owner', 'The document would have no owner; make somebody else an owner first.');

/** Undefined where somebody may. Whoever has no role learns nothing, not even that there is a document. */
export const refusedTo = (state: DocumentState, by: string, act: Act): Refused | undefined => {
  const role = roleOf(state, by);
  if (role === undefined) return documentUnknown();
  if (state.kind === 'deleted') return documentDeleted();
  if (!mayDo(role, act)) return reject('role-too-low', `${rolesFor(act)} of the document may do this.`);
  return state.kind === 'trashed' && act !== 'dispose' ? documentTrashed() : undefined;
};

export const isLiving = (state: DocumentState): state is LivingDocument =>
  state.kind === 'active' || state.kind === 'trashed';
