/**
 * Which principals may see which files of a tenant, in one stream: folders, groups, grants, and where files lie. What takes visibility away is recorded
 * here first, so that a reader who has read this stream to its end knows all of it.
 */
import type * as t from 'io-ts';
import { nameText, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { FileGrantId, FileId, FolderId, GroupId } from '../ids';
import { GrantedRole } from '../roles';

export const FolderName = nameText('FolderName', { maxLength: 200, examples: ['Contracts'] });
export const GroupName = nameText('GroupName', { maxLength: 200, examples: ['Legal'] });

export const ResourceType = oneOf('FileResourceType', ['file', 'folder']);
export type ResourceType = t.TypeOf<typeof ResourceType>;

export const GrantPrincipalType = oneOf('GrantPrincipalType', ['user', 'group', 'tenant']);
export type GrantPrincipalType = t.TypeOf<typeof GrantPrincipalType>;

/** Why a file is not shown: each reason ends by itself. */
export const HiddenReason = oneOf('FileHiddenReason', ['trashed', 'deleted', 'quarantined']);
export type HiddenReason = t.TypeOf<typeof HiddenReason>;

export const PurgeCause = oneOf('FilePurgeCause', ['retention', 'abandoned']);
export type PurgeCause = t.TypeOf<typeof PurgeCause>;

/** `person`: by its owner. `retention`: it was in the trash for too long. */
export const FolderDeletionCause = oneOf('FolderDeletionCause', ['person', 'retention']);
export type FolderDeletionCause = t.TypeOf<typeof FolderDeletionCause>;

/** Why a file has to be kept: for lawyers, not for the people that it is shared with. */
export const HoldReason = text('HoldReason', { maxLength: 500, examples: ['Case 2026-117'] });

const folder = { folderId: FolderId };
const group = { groupId: GroupId };
const file = { fileId: FileId };
const folderName = secret(FolderName, 'folderId');
const groupName = secret(GroupName, 'groupId');

export const fileAccess = aggregate(
  { context: 'files', name: 'access' },
  {
    /** A folder without a parent is at the top, and seen by its owner and those with a grant. */
    FolderCreated: {
      v: 1,
      data: { ...folder, name: folderName, parentFolderId: nullable(FolderId), ownerId: PrincipalId },
    },
    FolderRenamed: { v: 1, data: { ...folder, name: folderName } },
    FolderMoved: { v: 1, data: { ...folder, parentFolderId: nullable(FolderId) } },
    /** With everything in it. */
    FolderTrashed: { v: 1, data: folder },
    FolderRestored: { v: 1, data: folder },
    /** For ever, with everything in it: each file is deleted by an event of its own. */
    FolderDeleted: { v: 1, data: { ...folder, cause: FolderDeletionCause } },
    /** The former owner has access only by grants. */
    FolderOwnerChanged: { v: 1, data: { ...folder, ownerId: PrincipalId } },
    GrantAdded: {
      v: 1,
      data: {
        grantId: FileGrantId,
        resourceType: ResourceType,
        resourceId: text('ResourceId', { maxLength: 128, examples: ['f0a1b2c3'] }),
        principalType: GrantPrincipalType,
        /** A principal, a group, or the tenant. */
        principalId: text('GrantPrincipalId', { maxLength: 128, examples: ['ada'] }),
        role: GrantedRole,
        grantedBy: PrincipalId,
      },
    },
    GrantRevoked: { v: 1, data: { grantId: FileGrantId } },
    GroupCreated: { v: 1, data: { ...group, name: groupName, createdBy: PrincipalId } },
    GroupRenamed: { v: 1, data: { ...group, name: groupName } },
    /** Its grants admit no principal from then on. */
    GroupDeleted: { v: 1, data: group },
    GroupMemberAdded: { v: 1, data: { ...group, principalId: PrincipalId } },
    GroupMemberRemoved: { v: 1, data: { ...group, principalId: PrincipalId } },
    FileMoved: { v: 1, data: { ...file, folderId: nullable(FolderId) } },
    FileOwnerChanged: { v: 1, data: { ...file, ownerId: PrincipalId } },
    FileHidden: { v: 1, data: { ...file, reason: HiddenReason } },
    FileRevealed: { v: 1, data: { ...file, reason: HiddenReason } },
    /** It is deleted for ever, by no person: it was in the trash for too long, or its upload was never completed. */
    FilePurged: { v: 1, data: { ...file, cause: PurgeCause } },
    /** It is not deleted for ever until the hold is lifted. */
    FileHeld: { v: 1, data: { ...file, reason: secret(HoldReason, 'fileId'), heldBy: PrincipalId } },
    FileReleased: { v: 1, data: { ...file, releasedBy: PrincipalId } },
  },
);
export type FileAccessEvent = typeof fileAccess.Event;

/** A tenant has one. */
export const fileAccessStream = (tenant: Parameters<typeof fileAccess.stream>[0]): string =>
  fileAccess.stream(tenant, 'workspace');
