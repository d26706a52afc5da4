/** Decisions on invitations, by name or by secret. */
import { right } from 'fp-ts/Either';
import type { PrincipalId } from '../../kernel/ids';
import { reject } from '../../kernel/rejection';
import { documentLimits } from '../limits';
import { hasAtLeastRole, type Role } from '../roles';
import type { AcceptInvitation, CloseInvitation, InviteMember } from './commands';
import type { DocumentEvent } from './events';
import {
  type DocumentDecision,
  type DocumentRefusal,
  documentDeleted,
  documentTrashed,
  documentUnknown,
  isExisting,
  rejectUnlessPermitted,
} from './rejections';
import { type DocumentState, type ExistingDocument, type Invitation, isOpen, roleOf } from './state';

const hasRoleByName = (state: ExistingDocument, principalId: string): boolean =>
  state.members.some((one) => one.principalId === principalId);

const rejectIfFull = ({ members }: ExistingDocument): DocumentRefusal | undefined =>
  members.length >= documentLimits.members
    ? reject('too-many-members', `A document has ${documentLimits.members} members at most.`)
    : undefined;

/** A later decision about a principal replaces the invitations that name it. */
export const withdrawInvitationsOf = (
  { documentId, invitations }: ExistingDocument,
  principalId: PrincipalId | null,
): DocumentEvent[] =>
  invitations
    .filter((one) => principalId !== null && one.principalId === principalId)
    .map(({ invitationId }) => ({ type: 'InvitationWithdrawn', data: { documentId, invitationId } }));

export const invite = (command: InviteMember, state: DocumentState): DocumentDecision => {
  const { documentId, by, invitationId, principalId, secretHash, role, at, expiresAt } = command;
  const refused = rejectUnlessPermitted(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isExisting(state)) return documentUnknown();
  if (state.invitations.some((one) => one.invitationId === invitationId)) return right([]);
  if (principalId !== null && hasRoleByName(state, principalId))
    return reject('already-member', 'The person is already a member; change the role instead.');
  const open = state.invitations.filter((one) => isOpen(one, at)).length;
  if (open >= documentLimits.invitations)
    return reject('too-many-invitations', `At most ${documentLimits.invitations} invitations can be open at once.`);
  const full = rejectIfFull(state);
  if (full !== undefined) return full;
  const { title } = state;
  const times = { createdAt: at, expiresAt };
  const invitation = { documentId, invitationId, title, role, principalId, secretHash, invitedBy: by, ...times };
  return right([...withdrawInvitationsOf(state, principalId), { type: 'MemberInvited', data: invitation }]);
};

const invitationUnknown = (): DocumentRefusal => reject('invitation-unknown', 'There is no such invitation.');

/** Undefined if the invitation is not the caller's; the answer is the same as if it did not exist. */
const findInvitation = (
  state: ExistingDocument,
  { invitationId, by, secretHash }: AcceptInvitation,
): Invitation | undefined =>
  state.invitations.find(
    (one) =>
      one.invitationId === invitationId &&
      !one.barred.includes(by) &&
      (one.principalId === null ? one.secretHash === secretHash : one.principalId === by),
  );

/** Accepting never lowers a role. */
const higherRole = (one: Role, other: Role | undefined): Role =>
  other !== undefined && hasAtLeastRole(other, one) ? other : one;

export const accept = (command: AcceptInvitation, state: DocumentState): DocumentDecision => {
  const { documentId, invitationId, by, at } = command;
  if (!isExisting(state)) return roleOf(state, by) === undefined ? invitationUnknown() : documentDeleted();
  const found = findInvitation(state, command);
  if (found === undefined) return hasRoleByName(state, by) ? right([]) : invitationUnknown();
  if (!isOpen(found, at))
    return reject('invitation-expired', 'The invitation has expired or was withdrawn; ask for another one.');
  if (state.kind === 'trashed') return documentTrashed();
  const full = hasRoleByName(state, by) ? undefined : rejectIfFull(state);
  if (full !== undefined) return full;
  const role = higherRole(found.role, roleOf(state, by));
  return right([{ type: 'InvitationAccepted', data: { documentId, invitationId, principalId: by, role } }]);
};

export const decline = ({ documentId, invitationId, by }: CloseInvitation, state: DocumentState): DocumentDecision => {
  if (!isExisting(state)) return invitationUnknown();
  const found = state.invitations.find((one) => one.invitationId === invitationId && one.principalId === by);
  if (found === undefined) return invitationUnknown();
  return right([{ type: 'InvitationDeclined', data: { documentId, invitationId, principalId: by } }]);
};

export const withdraw = ({ documentId, invitationId, by }: CloseInvitation, state: DocumentState): DocumentDecision => {
  const refused = rejectUnlessPermitted(state, by, 'share');
  if (refused !== undefined) return refused;
  const isThere = isExisting(state) && state.invitations.some((one) => one.invitationId === invitationId);
  return right(isThere ? [{ type: 'InvitationWithdrawn', data: { documentId, invitationId } }] : []);
};
