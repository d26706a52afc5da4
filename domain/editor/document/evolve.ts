/** What each event makes of a document's state. */
import type { PrincipalId } from '../../kernel/ids';
import type { Role } from '../roles';
import type { DocumentEvent } from './events';
import type { DocumentState, Link, LivingDocument } from './state';

type DataOf<Type extends DocumentEvent['type']> = Extract<DocumentEvent, { type: Type }>['data'];

const without = (link: Link | null, principalId: PrincipalId): Link | null =>
  link === null ? null : { ...link, visitors: link.visitors.filter((visitor) => visitor !== principalId) };

const withRole = (state: LivingDocument, principalId: PrincipalId, role: Role): LivingDocument => ({
  ...state,
  members: [...state.members.filter((one) => one.principalId !== principalId), { principalId, role }],
  link: without(state.link, principalId),
});

const withoutMember = (state: LivingDocument, principalId: PrincipalId): LivingDocument => ({
  ...state,
  members: state.members.filter((one) => one.principalId !== principalId),
  link: without(state.link, principalId),
});

const barredFromInvitations = (state: LivingDocument, principalId: PrincipalId): LivingDocument => ({
  ...state,
  invitations: state.invitations.map((one) => ({ ...one, barred: [...one.barred, principalId] })),
});

const barredFromLink = (state: LivingDocument, principalId: PrincipalId): LivingDocument => {
  const { link } = state;
  return link === null ? state : { ...state, link: { ...link, barred: [...link.barred, principalId] } };
};

const removed = (state: LivingDocument, principalId: PrincipalId): LivingDocument =>
  barredFromInvitations(barredFromLink(withoutMember(state, principalId), principalId), principalId);

const withoutInvitation = (state: LivingDocument, invitationId: string): LivingDocument => ({
  ...state,
  invitations: state.invitations.filter((one) => one.invitationId !== invitationId),
});

/** Those that are over by then are forgotten. */
const withInvitation = (state: LivingDocument, data: DataOf<'MemberInvited'>): LivingDocument => {
  const { invitationId, principalId, secretHash, role, expiresAt, createdAt } = data;
  const kept = state.invitations.filter((one) => createdAt < one.expiresAt);
  return { ...state, invitations: [...kept, { invitationId, principalId, secretHash, role, expiresAt, barred: [] }] };
};

const created = ({ documentId, title, createdBy, copiedFrom }: DataOf<'DocumentCreated'>): LivingDocument => ({
  kind: 'active',
  documentId,
  title,
  createdBy,
  firstVersion: copiedFrom?.version ?? 0,
  members: [{ principalId: createdBy, role: 'owner' }],
  invitations: [],
  link: null,
  named: [],
});

const withName = (state: LivingDocument, version: number, name: string | undefined): LivingDocument => {
  const others = state.named.filter((one) => one.version !== version);
  return { ...state, named: name === undefined ? others : [...others, { version, name }] };
};

const visited = (state: LivingDocument, principalId: PrincipalId): LivingDocument => {
  const { link } = state;
  return link === null ? state : { ...state, link: { ...link, visitors: [...link.visitors, principalId] } };
};

type Change = Exclude<DocumentEvent, { type: 'DocumentCreated' | 'DocumentDeleted' }>;

const living = (state: LivingDocument, { type, data }: Change): LivingDocument => {
  switch (type) {
    case 'DocumentRenamed':
      return { ...state, title: data.title };
    case 'DocumentTrashed':
      return { ...state, kind: 'trashed' };
    case 'DocumentRestored':
      return { ...state, kind: 'active' };
    case 'MemberInvited':
      return withInvitation(state, data);
    case 'InvitationAccepted':
      return withRole(withoutInvitation(state, data.invitationId), data.principalId, data.role);
    case 'InvitationDeclined':
    case 'InvitationWithdrawn':
      return withoutInvitation(state, data.invitationId);
    case 'MemberRoleChanged':
      return barredFromInvitations(withRole(state, data.principalId, data.role), data.principalId);
    case 'OwnerAppointed':
      return withRole(state, data.principalId, 'owner');
    case 'MemberRemoved':
      return removed(state, data.principalId);
    case 'MemberLeft':
      return withoutMember(state, data.principalId);
    case 'LinkShared':
      return {
        ...state,
        link: { linkId: data.linkId, role: data.role, secretHash: data.secretHash, visitors: [], barred: [] },
      };
    case 'LinkRoleChanged':
      return { ...state, link: state.link === null ? null : { ...state.link, role: data.role } };
    case 'LinkClosed':
      return { ...state, link: null };
    case 'LinkOpened':
      return visited(state, data.principalId);
    case 'VersionNamed':
    case 'VersionRenamed':
      return withName(state, data.version, data.name);
    case 'VersionNameRemoved':
      return withName(state, data.version, undefined);
  }
};

/** Visitors are among those who had access. */
const formerMembers = ({ members, link }: LivingDocument): LivingDocument['members'] =>
  link === null ? members : [...members, ...link.visitors.map((principalId) => ({ principalId, role: link.role }))];

export const evolve = (state: DocumentState, event: DocumentEvent): DocumentState => {
  if (event.type === 'DocumentCreated') return created(event.data);
  if (state.kind === 'none' || state.kind === 'deleted') return state;
  if (event.type === 'DocumentDeleted') return { kind: 'deleted', members: formerMembers(state) };
  return living(state, event);
};
