/** Decisions on members' roles. A document always has an owner. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import { documentLimits } from '../limits';
import type { AppointOwner, ChangeRole, RemoveMember } from './commands';
import type { DocumentEvent } from './events';
import { withdrawInvitationsOf } from './invitations';
import {
  type DocumentDecision,
  documentDeleted,
  documentUnknown,
  isExisting,
  lastOwner,
  rejectUnlessPermitted,
} from './rejections';
import { countOwners, type DocumentState, type ExistingDocument, roleOf } from './state';

const isLastOwner = (state: ExistingDocument, principalId: string): boolean =>
  roleOf(state, principalId) === 'owner' && countOwners(state) === 1;

const roleByName = (state: ExistingDocument, principalId: string) =>
  state.members.find((one) => one.principalId === principalId)?.role;

export const changeRole = (
  { documentId, by, principalId, role }: ChangeRole,
  state: DocumentState,
): DocumentDecision => {
  const refused = rejectUnlessPermitted(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isExisting(state)) return documentUnknown();
  if (roleOf(state, principalId) === undefined) return reject('member-unknown', 'The document has no such member.');
  const before = roleByName(state, principalId);
  if (before === role) return right([]);
  if (isLastOwner(state, principalId)) return lastOwner();
  if (before === undefined && state.members.length >= documentLimits.members)
    return reject('too-many-members', `A document has ${documentLimits.members} members at most.`);
  const changed: DocumentEvent = { type: 'MemberRoleChanged', data: { documentId, principalId, role } };
  return right([...withdrawInvitationsOf(state, principalId), changed]);
};

/** Administrators may appoint an owner only if no owner is active. */
export const appoint = (command: AppointOwner, state: DocumentState): DocumentDecision => {
  const { documentId, by: appointedBy, principalId, inactive } = command;
  if (!isExisting(state)) return state.kind === 'none' ? documentUnknown() : documentDeleted();
  if (roleByName(state, principalId) === 'owner') return right([]);
  if (state.members.some((one) => one.role === 'owner' && !inactive.includes(one.principalId)))
    return reject('document-has-owner', 'The document has an active owner, who can appoint others.');
  if (roleByName(state, principalId) === undefined && state.members.length >= documentLimits.members)
    return reject('too-many-members', `A document has ${documentLimits.members} members; appoint one of them.`);
  return right([{ type: 'OwnerAppointed', data: { documentId, principalId, appointedBy } }]);
};

const leave = ({ documentId, principalId }: RemoveMember, state: DocumentState): DocumentDecision => {
  if (roleOf(state, principalId) === undefined) return documentUnknown();
  if (!isExisting(state)) return documentDeleted();
  if (isLastOwner(state, principalId)) return lastOwner();
  return right([{ type: 'MemberLeft', data: { documentId, principalId } }]);
};

export const remove = (command: RemoveMember, state: DocumentState): DocumentDecision => {
  const { documentId, by, principalId } = command;
  if (by === principalId) return leave(command, state);
  const refused = rejectUnlessPermitted(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isExisting(state) || roleOf(state, principalId) === undefined) return right([]);
  const removed: DocumentEvent = { type: 'MemberRemoved', data: { documentId, principalId } };
  return right([...withdrawInvitationsOf(state, principalId), removed]);
};
