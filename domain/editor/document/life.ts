/** From its creation to its end. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { CreateDocument, DisposeDocument, RenameDocument } from './commands';
import { type Decision, documentDeleted, documentUnknown, isLiving, refusedTo } from './decision';
import { type DocumentState, type LivingDocument, roleOf } from './state';

export const create = (command: CreateDocument, state: DocumentState): Decision => {
  const { documentId, title, homeRegion, by: createdBy, at: createdAt, copiedFrom } = command;
  if (isLiving(state) && state.title === title && state.createdBy === createdBy) return right([]);
  if (state.kind !== 'none') return reject('document-differs', 'A document of this id says something else.');
  return right([
    { type: 'DocumentCreated', data: { documentId, title, homeRegion, createdBy, createdAt, copiedFrom } },
  ]);
};

export const rename = ({ documentId, title, by }: RenameDocument, state: DocumentState): Decision => {
  const refused = refusedTo(state, by, 'rename');
  if (refused !== undefined) return refused;
  if (isLiving(state) && state.title === title) return right([]);
  return right([{ type: 'DocumentRenamed', data: { documentId, title } }]);
};

const deletion = (state: LivingDocument): Decision => {
  const { documentId, members, link, kind } = state;
  if (kind === 'active') return reject('document-not-trashed', 'Only a document in the trash can be deleted for good.');
  const former = [...members.map(({ principalId }) => principalId), ...(link?.visitors ?? [])];
  const invitations = state.invitations.map(({ invitationId }) => invitationId);
  return right([{ type: 'DocumentDeleted', data: { documentId, members: former, invitations } }]);
};

export const dispose = ({ type, documentId, by }: DisposeDocument, state: DocumentState): Decision => {
  // Said again by an owner it is done already.
  if (type === 'DeleteDocument' && state.kind === 'deleted' && roleOf(state, by) === 'owner') return right([]);
  const refused = refusedTo(state, by, 'dispose');
  if (refused !== undefined) return refused;
  if (!isLiving(state)) return state.kind === 'none' ? documentUnknown() : documentDeleted();
  if (type === 'DeleteDocument') return deletion(state);
  const wanted = type === 'TrashDocument' ? 'trashed' : 'active';
  if (state.kind === wanted) return right([]);
  return right([{ type: wanted === 'trashed' ? 'DocumentTrashed' : 'DocumentRestored', data: { documentId } }]);
};
