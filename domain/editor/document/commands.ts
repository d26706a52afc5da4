/** What may be asked of a document; `by` is whoever asks. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { DocumentId, InvitationId, LinkId } from '../ids';
import type { LinkRole, Role } from '../roles';
import type { Snapshot } from '../snapshot/record';

interface Asked {
  readonly documentId: DocumentId;
  readonly by: PrincipalId;
}

interface CopiedFrom {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly snapshot?: Snapshot;
}

export interface CreateDocument extends Asked {
  readonly type: 'CreateDocument';
  readonly title: string;
  readonly homeRegion: string;
  readonly at: Instant;
  /** Whoever copies must see the other one; that is for the caller to make sure of. */
  readonly copiedFrom: CopiedFrom | null;
}

/** By whoever administers the tenant, who need not be a member. */
export interface AppointOwner extends Asked {
  readonly type: 'AppointOwner';
  readonly principalId: PrincipalId;
  /** Those of its owners who were found to be able to do nothing any more. */
  readonly inactive: readonly PrincipalId[];
}

export interface RenameDocument extends Asked {
  readonly type: 'RenameDocument';
  readonly title: string;
}

/** `DeleteDocument`: for good, and only out of the trash. */
export interface DisposeDocument extends Asked {
  readonly type: 'TrashDocument' | 'RestoreDocument' | 'DeleteDocument';
}

export interface InviteMember extends Asked {
  readonly type: 'InviteMember';
  readonly invitationId: InvitationId;
  readonly role: Role;
  /** One of the two is null. */
  readonly principalId: PrincipalId | null;
  readonly secretHash: string | null;
  readonly at: Instant;
  readonly expiresAt: Instant;
}

export interface AcceptInvitation extends Asked {
  readonly type: 'AcceptInvitation';
  readonly invitationId: InvitationId;
  readonly secretHash: string | null;
  readonly at: Instant;
}

export interface EndInvitation extends Asked {
  readonly type: 'DeclineInvitation' | 'WithdrawInvitation';
  readonly invitationId: InvitationId;
}

export interface ChangeRole extends Asked {
  readonly type: 'ChangeRole';
  readonly principalId: PrincipalId;
  readonly role: Role;
}

/** Of oneself: to leave. */
export interface RemoveMember extends Asked {
  readonly type: 'RemoveMember';
  readonly principalId: PrincipalId;
}

/** Another link takes the place of the one that is there. */
export interface ShareLink extends Asked {
  readonly type: 'ShareLink';
  readonly linkId: LinkId;
  readonly role: LinkRole;
  readonly secretHash: string;
}

export interface ChangeLinkRole extends Asked {
  readonly type: 'ChangeLinkRole';
  readonly role: LinkRole;
}

export interface CloseLink extends Asked {
  readonly type: 'CloseLink';
}

export interface OpenLink extends Asked {
  readonly type: 'OpenLink';
  readonly secretHash: string;
}

export interface NameVersion extends Asked {
  readonly type: 'NameVersion';
  readonly version: number;
  readonly name: string;
  /** The last version that there is. */
  readonly headVersion: number;
}

export interface RemoveVersionName extends Asked {
  readonly type: 'RemoveVersionName';
  readonly version: number;
}

export type LinkCommand = ShareLink | ChangeLinkRole | CloseLink;
export type VersionCommand = NameVersion | RemoveVersionName;
export type MemberCommand = ChangeRole | RemoveMember | AppointOwner;
export type DocumentCommand =
  | CreateDocument
  | RenameDocument
  | DisposeDocument
  | InviteMember
  | AcceptInvitation
  | EndInvitation
  | MemberCommand
  | LinkCommand
  | OpenLink
  | VersionCommand;
