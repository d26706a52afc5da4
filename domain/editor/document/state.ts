/** State of a document, as far as decisions need it, and its fold. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { DocumentId, InvitationId, LinkId } from '../ids';
import type { LinkRole, Role } from '../roles';
import type { DocumentEvent } from './events';

export interface Member {
  readonly principalId: PrincipalId;
  readonly role: Role;
}

export interface Invitation {
  readonly invitationId: InvitationId;
  readonly principalId: PrincipalId | null;
  readonly secretHash: string | null;
  readonly role: Role;
  readonly expiresAt: Instant;
  /** Principals that were removed, or got another role, since the invitation. */
  readonly barred: readonly PrincipalId[];
}

export interface Link {
  readonly linkId: LinkId;
  readonly role: LinkRole;
  readonly secretHash: string;
  /** Principals that opened the link and have no role by name. */
  readonly visitors: readonly PrincipalId[];
  /** Principals that were removed since the link was made. */
  readonly barred: readonly PrincipalId[];
}

export interface NamedVersion {
  readonly version: number;
  readonly name: string;
}

export interface ExistingDocument {
  readonly kind: 'active' | 'trashed';
  readonly documentId: DocumentId;
  readonly title: string;
  readonly createdBy: PrincipalId;
  /** Version of the copied content; 0 if nothing was copied. */
  readonly firstVersion: number;
  readonly members: readonly Member[];
  /** Open invitations; some may have expired. */
  readonly invitations: readonly Invitation[];
  readonly link: Link | null;
  readonly named: readonly NamedVersion[];
}

/** Former members learn that the document was deleted; others learn nothing. */
export interface DeletedDocument {
  readonly kind: 'deleted';
  readonly members: readonly Member[];
}

export type DocumentState = { readonly kind: 'none' } | ExistingDocument | DeletedDocument;

export const noDocument: DocumentState = { kind: 'none' };

/** A role by name counts, also where the link would give another one. */
export const roleOf = (state: DocumentState, principalId: string): Role | undefined => {
  if (state.kind === 'none') return undefined;
  const named = state.members.find((one) => one.principalId === principalId)?.role;
  if (named !== undefined || state.kind === 'deleted') return named;
  return state.link?.visitors.some((visitor) => visitor === principalId) === true ? state.link.role : undefined;
};

export const countOwners = ({ members }: ExistingDocument): number =>
  members.filter(({ role }) => role === 'owner').length;

export const isOpen = ({ expiresAt }: Invitation, at: Instant): boolean => at < expiresAt;

type DataOf<Type extends DocumentEvent['type']> = Extract<DocumentEvent, { type: Type }>['data'];

const withoutVisitor = (link: Link | null, principalId: PrincipalId): Link | null =>
  link === null ? null : { ...link, visitors: link.visitors.filter((visitor) => visitor !== principalId) };

const withRole = (state: ExistingDocument, principalId: PrincipalId, role: Role): ExistingDocument => ({
  ...state,
  members: [...state.members.filter((one) => one.principalId !== principalId), { principalId, role }],
  link: withoutVisitor(state.link, principalId),
});

const withoutMember = (state: ExistingDocument, principalId: PrincipalId): ExistingDocument => ({
  ...state,
  members: state.members.filter((one) => one.principalId !== principalId),
  link: withoutVisitor(state.link, principalId),
});

const barFromInvitations = (state: ExistingDocument, principalId: PrincipalId): ExistingDocument => ({
  ...state,
  invitations: state.invitations.map((one) => ({ ...one, barred: [...one.barred, principalId] })),
});

const barFromLink = (state: ExistingDocument, principalId: PrincipalId): ExistingDocument => {
  const { link } = state;
  return link === null ? state : { ...state, link: { ...link, barred: [...link.barred, principalId] } };
};

const withMemberRemoved = (state: ExistingDocument, principalId: PrincipalId): ExistingDocument =>
  barFromInvitations(barFromLink(withoutMember(state, principalId), principalId), principalId);

const withoutInvitation = (state: ExistingDocument, invitationId: string): ExistingDocument => ({
  ...state,
  invitations: state.invitations.filter((one) => one.invitationId !== invitationId),
});

/** Drops expired invitations. */
const withInvitation = (state: ExistingDocument, data: DataOf<'MemberInvited'>): ExistingDocument => {
  const { invitationId, principalId, secretHash, role, expiresAt, createdAt } = data;
  const unexpired = state.invitations.filter((one) => createdAt < one.expiresAt);
  return {
    ...state,
    invitations: [...unexpired, { invitationId, principalId, secretHash, role, expiresAt, barred: [] }],
  };
};

const initialDocument = ({
  documentId,
  title,
  createdBy,
  copiedFrom,
}: DataOf<'DocumentCreated'>): ExistingDocument => ({
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

const withName = (state: ExistingDocument, version: number, name: string | undefined): ExistingDocument => {
  const others = state.named.filter((one) => one.version !== version);
  return { ...state, named: name === undefined ? others : [...others, { version, name }] };
};

const withVisitor = (state: ExistingDocument, principalId: PrincipalId): ExistingDocument => {
  const { link } = state;
  return link === null ? state : { ...state, link: { ...link, visitors: [...link.visitors, principalId] } };
};

type Change = Exclude<DocumentEvent, { type: 'DocumentCreated' | 'DocumentDeleted' }>;

const evolveExisting = (state: ExistingDocument, { type, data }: Change): ExistingDocument => {
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
      return barFromInvitations(withRole(state, data.principalId, data.role), data.principalId);
    case 'OwnerAppointed':
      return withRole(state, data.principalId, 'owner');
    case 'MemberRemoved':
      return withMemberRemoved(state, data.principalId);
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
      return withVisitor(state, data.principalId);
    case 'VersionNamed':
    case 'VersionRenamed':
      return withName(state, data.version, data.name);
    case 'VersionNameRemoved':
      return withName(state, data.version, undefined);
  }
};

/** Visitors count as former members. */
const formerMembers = ({ members, link }: ExistingDocument): ExistingDocument['members'] =>
  link === null ? members : [...members, ...link.visitors.map((principalId) => ({ principalId, role: link.role }))];

export const evolve = (state: DocumentState, event: DocumentEvent): DocumentState => {
  if (event.type === 'DocumentCreated') return initialDocument(event.data);
  if (state.kind === 'none' || state.kind === 'deleted') return state;
  if (event.type === 'DocumentDeleted') return { kind: 'deleted', members: formerMembers(state) };
  return evolveExisting(state, event);
};
