/** Commands on folders, groups, grants and the places of files; `by` is the caller. */
import type { PrincipalId } from '../../kernel/ids';
import type { FileGrantId, FileId, FolderId, GroupId } from '../ids';
import type { GrantedRole } from '../roles';
import type { GrantPrincipalType, HiddenReason, PurgeCause } from './events';
import type { CreatedFile } from './state';

interface By {
  readonly by: PrincipalId;
}

export interface CreateFolder extends By {
  readonly type: 'CreateFolder';
  readonly folderId: FolderId;
  readonly name: string;
  readonly parentFolderId: FolderId | null;
}

export interface RenameFolder extends By {
  readonly type: 'RenameFolder';
  readonly folderId: FolderId;
  readonly name: string;
}

/** Null: to the top. */
export interface MoveFolder extends By {
  readonly type: 'MoveFolder';
  readonly folderId: FolderId;
  readonly parentFolderId: FolderId | null;
}

export interface TrashFolder extends By {
  readonly type: 'TrashFolder' | 'RestoreFolder';
  readonly folderId: FolderId;
}

/** For ever, with everything in it. */
export interface DeleteFolder extends By {
  readonly type: 'DeleteFolder';
  readonly folderId: FolderId;
  /** Files of the tenant that are under a legal hold, as they were created: one in the folder keeps it. */
  readonly held: readonly CreatedFile[];
}

/** By the system: it was in the trash for too long, and has no file any more. */
export interface PurgeFolder {
  readonly type: 'PurgeFolder';
  readonly folderId: FolderId;
}

export interface ChangeFolderOwner extends By {
  readonly type: 'ChangeFolderOwner';
  readonly folderId: FolderId;
  readonly ownerId: PrincipalId;
  /** An owner that is no active principal, for callers who are administrators: from it alone they take what is not theirs. */
  readonly inactiveOwner?: PrincipalId | undefined;
}

/** What is shared. A file is looked up in its own stream by the caller. */
export type SharedResource =
  | { readonly type: 'file'; readonly file: CreatedFile }
  | { readonly type: 'folder'; readonly folderId: FolderId };

export interface AddGrant extends By {
  readonly type: 'AddGrant';
  readonly grantId: FileGrantId;
  readonly resource: SharedResource;
  readonly principalType: GrantPrincipalType;
  readonly principalId: string;
  readonly role: GrantedRole;
}

export interface RevokeGrant extends By {
  readonly type: 'RevokeGrant';
  readonly grantId: FileGrantId;
  readonly resource: SharedResource;
}

export interface CreateGroup extends By {
  readonly type: 'CreateGroup';
  readonly groupId: GroupId;
  readonly name: string;
}

/** `isAdministrator`: the caller manages the groups of others, too. */
export interface ChangeGroup extends By {
  readonly type: 'RenameGroup' | 'DeleteGroup';
  readonly groupId: GroupId;
  readonly name?: string;
  readonly isAdministrator: boolean;
}

export interface ChangeMember extends By {
  readonly type: 'AddGroupMember' | 'RemoveGroupMember';
  readonly groupId: GroupId;
  readonly principalId: PrincipalId;
  readonly isAdministrator: boolean;
}

export interface MoveFile extends By {
  readonly type: 'MoveFile';
  readonly file: CreatedFile;
  readonly folderId: FolderId | null;
}

export interface ChangeFileOwner extends By {
  readonly type: 'ChangeFileOwner';
  readonly file: CreatedFile;
  readonly ownerId: PrincipalId;
  /** An owner that is no active principal, for callers who are administrators: from it alone they take what is not theirs. */
  readonly inactiveOwner?: PrincipalId | undefined;
}

/** By people: to the trash, back, and for ever. */
export interface DisposeOfFile extends By {
  readonly type: 'TrashFile' | 'RestoreFile' | 'DeleteFile';
  readonly file: CreatedFile;
}

/** By administrators, also of files that are not shared with them. */
export interface HoldFile extends By {
  readonly type: 'HoldFile';
  readonly fileId: FileId;
  readonly reason: string;
}

export interface ReleaseFile extends By {
  readonly type: 'ReleaseFile';
  readonly fileId: FileId;
}

/** By the system: for ever. */
export interface PurgeFile {
  readonly type: 'PurgeFile';
  readonly fileId: FileId;
  readonly cause: PurgeCause;
  /** In the trash with this folder, not by itself; `file` as it was created. */
  readonly inFolder?: { readonly folderId: FolderId; readonly file: CreatedFile };
}

/** By the system: of a file that lies in a folder that was deleted for ever. */
export interface DeleteFileOfFolder {
  readonly type: 'DeleteFileOfFolder';
  readonly file: CreatedFile;
}

/** By the system. */
export interface Quarantine {
  readonly type: 'HideFile' | 'RevealFile';
  readonly fileId: FileId;
  readonly reason: HiddenReason;
}

export type FolderCommand =
  | CreateFolder
  | RenameFolder
  | MoveFolder
  | TrashFolder
  | DeleteFolder
  | PurgeFolder
  | ChangeFolderOwner;
export type GroupCommand = CreateGroup | ChangeGroup | ChangeMember;
export type FileCommand =
  | MoveFile
  | ChangeFileOwner
  | DisposeOfFile
  | HoldFile
  | ReleaseFile
  | PurgeFile
  | DeleteFileOfFolder
  | Quarantine;
export type FileAccessCommand = FolderCommand | GroupCommand | AddGrant | RevokeGrant | FileCommand;
