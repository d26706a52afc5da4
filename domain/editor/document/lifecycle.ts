/** Decisions on creation, renaming, trash and deletion. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { ChangeLifecycle, CreateDocument, RenameDocument } from './commands';
import {
  type DocumentDecision,
  documentDeleted,
  documentUnknown,
  isExisting,
  rejectUnlessPermitted,
} from './rejections';
import { type DocumentState, type ExistingDocument, roleOf } from './state';

export const create = (command: CreateDocument, state: DocumentState): DocumentDecision => {
  const { documentId, title, homeRegion, by: createdBy, at: createdAt, copiedFrom } = command;
  if (isExisting(state) && state.title === title && state.createdBy === createdBy) return right([]);
  if (state.kind !== 'none')
    return reject('document-differs', 'A document with this id exists with different content.');
  return right([
    { type: 'DocumentCreated', data: { documentId, title, homeRegion, createdBy, createdAt, copiedFrom } },
  ]);
};

export const rename = ({ documentId, title, by }: RenameDocument, state: DocumentState): DocumentDecision => {
  const refused = rejectUnlessPermitted(state, by, 'rename');
  if (refused !== undefined) return refused;
  if (isExisting(state) && state.title === title) return right([]);
  return right([{ type: 'DocumentRenamed', data: { documentId, title } }]);
};

const deleteForever = (state: ExistingDocument): DocumentDecision => {
  const { documentId, members, link, kind } = state;
  if (kind === 'active')
    return reject('document-not-trashed', 'Only a document in the trash can be deleted permanently.');
  const former = [...members.map(({ principalId }) => principalId), ...(link?.visitors ?? [])];
  const invitations = state.invitations.map(({ invitationId }) => invitationId);
  return right([{ type: 'DocumentDeleted', data: { documentId, members: former, invitations } }]);
};

export const changeLifecycle = ({ type, documentId, by }: ChangeLifecycle, state: DocumentState): DocumentDecision => {
  // Repeated by an owner.
  if (type === 'DeleteDocument' && state.kind === 'deleted' && roleOf(state, by) === 'owner') return right([]);
  const refused = rejectUnlessPermitted(state, by, 'dispose');
  if (refused !== undefined) return refused;
  if (!isExisting(state)) return state.kind === 'none' ? documentUnknown() : documentDeleted();
  if (type === 'DeleteDocument') return deleteForever(state);
  const wanted = type === 'TrashDocument' ? 'trashed' : 'active';
  if (state.kind === wanted) return right([]);
  return right([{ type: wanted === 'trashed' ? 'DocumentTrashed' : 'DocumentRestored', data: { documentId } }]);
};
