/** What deciding about a document rests on. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { DocumentId, InvitationId, LinkId } from '../ids';
import type { LinkRole, Role } from '../roles';

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
  /** Principals that an owner removed, or gave another role, since it was made. */
  readonly barred: readonly PrincipalId[];
}

export interface Link {
  readonly linkId: LinkId;
  readonly role: LinkRole;
  readonly secretHash: string;
  /** Who came by it and has no role by name. */
  readonly visitors: readonly PrincipalId[];
  /** Whom an owner removed since it is there. */
  readonly barred: readonly PrincipalId[];
}

export interface NamedVersion {
  readonly version: number;
  readonly name: string;
}

export interface LivingDocument {
  readonly kind: 'active' | 'trashed';
  readonly documentId: DocumentId;
  readonly title: string;
  readonly createdBy: PrincipalId;
  /** What was copied; 0 where nothing was. */
  readonly firstVersion: number;
  readonly members: readonly Member[];
  /** Those that nobody answered yet; some of them may be over. */
  readonly invitations: readonly Invitation[];
  readonly link: Link | null;
  readonly named: readonly NamedVersion[];
}

/** Whoever had access may know that it was deleted, and nobody else that it was there. */
export interface DeletedDocument {
  readonly kind: 'deleted';
  readonly members: readonly Member[];
}

export type DocumentState = { readonly kind: 'none' } | LivingDocument | DeletedDocument;

export const noDocument: DocumentState = { kind: 'none' };

/** A role by name counts, also where the link would give another one. */
export const roleOf = (state: DocumentState, principalId: string): Role | undefined => {
  if (state.kind === 'none') return undefined;
  const named = state.members.find((one) => one.principalId === principalId)?.role;
  if (named !== undefined || state.kind === 'deleted') return named;
  return state.link?.visitors.some((visitor) => visitor === principalId) === true ? state.link.role : undefined;
};

export const ownersOf = ({ members }: LivingDocument): number => members.filter(({ role }) => role === 'owner').length;

export const isOpen = ({ expiresAt }: Invitation, at: Instant): boolean => at < expiresAt;
