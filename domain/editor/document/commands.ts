/** Commands on a document; `by` is the caller. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { DocumentId, InvitationId, LinkId } from '../ids';
import type { LinkRole, Role } from '../roles';
import type { Snapshot } from '../snapshot/snapshot';

interface CommandFields {
  readonly documentId: DocumentId;
  readonly by: PrincipalId;
}

interface CopiedFrom {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly snapshot?: Snapshot;
}

export interface CreateDocument extends CommandFields {
  readonly type: 'CreateDocument';
  readonly title: string;
  readonly homeRegion: string;
  readonly at: Instant;
  /** The caller checks access to the source document. */
  readonly copiedFrom: CopiedFrom | null;
}

/** By a tenant administrator, who need not be a member. */
export interface AppointOwner extends CommandFields {
  readonly type: 'AppointOwner';
  readonly principalId: PrincipalId;
  /** The document's owners that are inactive, looked up by the route. */
  readonly inactive: readonly PrincipalId[];
}

export interface RenameDocument extends CommandFields {
  readonly type: 'RenameDocument';
  readonly title: string;
}

/** `DeleteDocument` is final and requires the trash. */
export interface ChangeLifecycle extends CommandFields {
  readonly type: 'TrashDocument' | 'RestoreDocument' | 'DeleteDocument';
}

export interface InviteMember extends CommandFields {
  readonly type: 'InviteMember';
  readonly invitationId: InvitationId;
  readonly role: Role;
  /** One of the two is null. */
  readonly principalId: PrincipalId | null;
  readonly secretHash: string | null;
  readonly at: Instant;
  readonly expiresAt: Instant;
}

export interface AcceptInvitation extends CommandFields {
  readonly type: 'AcceptInvitation';
  readonly invitationId: InvitationId;
  readonly secretHash: string | null;
  readonly at: Instant;
}

export interface CloseInvitation extends CommandFields {
  readonly type: 'DeclineInvitation' | 'WithdrawInvitation';
  readonly invitationId: InvitationId;
}

export interface ChangeRole extends CommandFields {
  readonly type: 'ChangeRole';
  readonly principalId: PrincipalId;
  readonly role: Role;
}

/** With the caller's own id: leaves the document. */
export interface RemoveMember extends CommandFields {
  readonly type: 'RemoveMember';
  readonly principalId: PrincipalId;
}

/** Replaces the previous link. */
export interface ShareLink extends CommandFields {
  readonly type: 'ShareLink';
  readonly linkId: LinkId;
  readonly role: LinkRole;
  readonly secretHash: string;
}

export interface ChangeLinkRole extends CommandFields {
  readonly type: 'ChangeLinkRole';
  readonly role: LinkRole;
}

export interface CloseLink extends CommandFields {
  readonly type: 'CloseLink';
}

export interface OpenLink extends CommandFields {
  readonly type: 'OpenLink';
  readonly secretHash: string;
}

export interface NameVersion extends CommandFields {
  readonly type: 'NameVersion';
  readonly version: number;
  readonly name: string;
  /** The last committed version. */
  readonly headVersion: number;
}

export interface RemoveVersionName extends CommandFields {
  readonly type: 'RemoveVersionName';
  readonly version: number;
}

export type LinkCommand = ShareLink | ChangeLinkRole | CloseLink;
export type VersionCommand = NameVersion | RemoveVersionName;
export type MemberCommand = ChangeRole | RemoveMember | AppointOwner;
export type DocumentCommand =
  | CreateDocument
  | RenameDocument
  | ChangeLifecycle
  | InviteMember
  | AcceptInvitation
  | CloseInvitation
  | MemberCommand
  | LinkCommand
  | OpenLink
  | VersionCommand;
