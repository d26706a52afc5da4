/** What may be asked of a document; `by` is whoever asks. */
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
  /** Whoever copies must see the other one; that is for the caller to make sure of. */
  readonly copiedFrom: CopiedFrom | null;
}

/** By whoever administers the tenant, who need not be a member. */
export interface AppointOwner extends CommandFields {
  readonly type: 'AppointOwner';
  readonly principalId: PrincipalId;
  /** Those of its owners who were found to be able to do nothing any more. */
  readonly inactive: readonly PrincipalId[];
}

export interface RenameDocument extends CommandFields {
  readonly type: 'RenameDocument';
  readonly title: string;
}

/** `DeleteDocument`: for good, and only out of the trash. */
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

/** Of oneself: to leave. */
export interface RemoveMember extends CommandFields {
  readonly type: 'RemoveMember';
  readonly principalId: PrincipalId;
}

/** Another link takes the place of the one that is there. */
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
  /** The last version that there is. */
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
