/** To somebody of the tenant by name, or to whoever shows a secret first. */
import { right } from 'fp-ts/Either';
import type { PrincipalId } from '../../kernel/ids';
import { reject } from '../../kernel/rejection';
import { mayAs, type Role } from '../roles';
import type { AcceptInvitation, EndInvitation, InviteMember } from './commands';
import {
  type Decision,
  documentDeleted,
  documentTrashed,
  documentUnknown,
  isLiving,
  type Refused,
  refusedTo,
} from './decision';
import type { DocumentEvent } from './events';
import { documentLimits } from './limits';
import { type DocumentState, type Invitation, isOpen, type LivingDocument, roleOf } from './state';

const hasNamed = (state: LivingDocument, principalId: string): boolean =>
  state.members.some((one) => one.principalId === principalId);

const fullFor = ({ members }: LivingDocument): Refused | undefined =>
  members.length >= documentLimits.members
    ? reject('too-many-members', `A document has ${documentLimits.members} members at most.`)
    : undefined;

/** What an owner decides about a principal later replaces the invitations that name the principal. */
export const withdrawInvitationsOf = (
  { documentId, invitations }: LivingDocument,
  principalId: PrincipalId | null,
): DocumentEvent[] =>
  invitations
    .filter((one) => principalId !== null && one.principalId === principalId)
    .map(({ invitationId }) => ({ type: 'InvitationWithdrawn', data: { documentId, invitationId } }));

export const invite = (command: InviteMember, state: DocumentState): Decision => {
  const { documentId, by, invitationId, principalId, secretHash, role, at, expiresAt } = command;
  const refused = refusedTo(state, by, 'share');
  if (refused !== undefined) return refused;
  if (!isLiving(state)) return documentUnknown();
  if (state.invitations.some((one) => one.invitationId === invitationId)) return right([]);
  if (principalId !== null && hasNamed(state, principalId))
    return reject('already-member', 'Whoever is invited is a member already; change the role instead.');
  const open = state.invitations.filter((one) => isOpen(one, at)).length;
  if (open >= documentLimits.invitations)
    return reject('too-many-invitations', `${documentLimits.invitations} invitations can be open at once.`);
  const full = fullFor(state);
  if (full !== undefined) return full;
  const { title } = state;
  const times = { createdAt: at, expiresAt };
  const said = { documentId, invitationId, title, role, principalId, secretHash, invitedBy: by, ...times };
  return right([...withdrawInvitationsOf(state, principalId), { type: 'MemberInvited', data: said }]);
};

const unknown = (): Refused => reject('invitation-unknown', 'There is no such invitation.');

/** Undefined: not theirs, which looks like there being none. */
const theirs = (state: LivingDocument, { invitationId, by, secretHash }: AcceptInvitation): Invitation | undefined =>
  state.invitations.find(
    (one) =>
      one.invitationId === invitationId &&
      !one.barred.includes(by) &&
      (one.principalId === null ? one.secretHash === secretHash : one.principalId === by),
  );

/** Nobody loses by accepting. */
const greater = (one: Role, other: Role | undefined): Role => (other !== undefined && mayAs(other, one) ? other : one);

export const accept = (command: AcceptInvitation, state: DocumentState): Decision => {
  const { documentId, invitationId, by, at } = command;
  if (!isLiving(state)) return roleOf(state, by) === undefined ? unknown() : documentDeleted();
  const found = theirs(state, command);
  if (found === undefined) return hasNamed(state, by) ? right([]) : unknown();
  if (!isOpen(found, at)) return reject('invitation-expired', 'The invitation is over; ask for another one.');
  if (state.kind === 'trashed') return documentTrashed();
  const full = hasNamed(state, by) ? undefined : fullFor(state);
  if (full !== undefined) return full;
  const role = greater(found.role, roleOf(state, by));
  return right([{ type: 'InvitationAccepted', data: { documentId, invitationId, principalId: by, role } }]);
};

export const decline = ({ documentId, invitationId, by }: EndInvitation, state: DocumentState): Decision => {
  if (!isLiving(state)) return unknown();
  const found = state.invitations.find((one) => one.invitationId === invitationId && one.principalId === by);
  if (found === undefined) return unknown();
  return right([{ type: 'InvitationDeclined', data: { documentId, invitationId, principalId: by } }]);
};

export const withdraw = ({ documentId, invitationId, by }: EndInvitation, state: DocumentState): Decision => {
  const refused = refusedTo(state, by, 'share');
  if (refused !== undefined) return refused;
  const isThere = isLiving(state) && state.invitations.some((one) => one.invitationId === invitationId);
  return right(isThere ? [{ type: 'InvitationWithdrawn', data: { documentId, invitationId } }] : []);
};
