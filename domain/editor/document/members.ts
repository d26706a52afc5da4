/** Roles by name. There is always an owner. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { AppointOwner, ChangeRole, RemoveMember } from './commands';
import { type Decision, documentDeleted, documentUnknown, isLiving, lastOwner, refusedTo } from './decision';
import type { DocumentEvent } from './events';
import { withdrawInvitationsOf } from './invitations';
import { documentLimits } from './limits';
import { type DocumentState, type LivingDocument, ownersOf, roleOf } from './state';

const isLastOwner = (state: LivingDocument, principalId: string): boolean =>
  roleOf(state, principalId) === 'owner' && ownersOf(state) === 1;

const roleByName = (state: LivingDocument, principalId: string) =>
  state.members.find((one) => one.principalId === principalId)?.role;

export const changeRole = ({ documentId, by, principalId, role }: ChangeRole, state: DocumentState): Decision => {
  const refused = refusedTo(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isLiving(state)) return documentUnknown();
  if (roleOf(state, principalId) === undefined) return reject('member-unknown', 'Nobody of this name is a member.');
  const before = roleByName(state, principalId);
  if (before === role) return right([]);
  if (isLastOwner(state, principalId)) return lastOwner();
  if (before === undefined && state.members.length >= documentLimits.members)
    return reject('too-many-members', `A document has ${documentLimits.members} members at most.`);
  const changed: DocumentEvent = { type: 'MemberRoleChanged', data: { documentId, principalId, role } };
  return right([...withdrawInvitationsOf(state, principalId), changed]);
};

/** Only where nobody else could: what owners may decide themselves is not an administrator's to decide. */
export const appoint = (command: AppointOwner, state: DocumentState): Decision => {
  const { documentId, by: appointedBy, principalId, inactive } = command;
  if (!isLiving(state)) return state.kind === 'none' ? documentUnknown() : documentDeleted();
  if (roleByName(state, principalId) === 'owner') return right([]);
  if (state.members.some((one) => one.role === 'owner' && !inactive.includes(one.principalId)))
    return reject('document-has-owner', 'The document has an owner who can act; ask them.');
  if (roleByName(state, principalId) === undefined && state.members.length >= documentLimits.members)
    return reject('too-many-members', `A document has ${documentLimits.members} members; appoint one of them.`);
  return right([{ type: 'OwnerAppointed', data: { documentId, principalId, appointedBy } }]);
};

const leave = ({ documentId, principalId }: RemoveMember, state: DocumentState): Decision => {
  if (roleOf(state, principalId) === undefined) return documentUnknown();
  if (!isLiving(state)) return documentDeleted();
  if (isLastOwner(state, principalId)) return lastOwner();
  return right([{ type: 'MemberLeft', data: { documentId, principalId } }]);
};

export const remove = (command: RemoveMember, state: DocumentState): Decision => {
  const { documentId, by, principalId } = command;
  if (by === principalId) return leave(command, state);
  const refused = refusedTo(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isLiving(state) || roleOf(state, principalId) === undefined) return right([]);
  const removed: DocumentEvent = { type: 'MemberRemoved', data: { documentId, principalId } };
  return right([...withdrawInvitationsOf(state, principalId), removed]);
};
