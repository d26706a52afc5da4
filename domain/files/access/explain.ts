/** Why a principal sees a file, or not: each way to a role, and what stands against all of them. Names nothing but ids. */
import type { FileGrantId, FolderId, GroupId } from '../ids';
import { type FileRole, higherRole } from '../roles';
import { type AccessLevel, levelOfFolder } from './audience';
import type { HiddenReason, ResourceType } from './events';
import { admits, type CreatedFile, type FileAccessState, folderChain, grantsOn, placedFile } from './state';

/** A way to a role: ownership, or a grant to the principal, a group of theirs, or everyone of the tenant. */
export interface AccessPath {
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  readonly by: 'owner' | 'user' | 'group' | 'tenant';
  /** Null for owners. */
  readonly grantId: FileGrantId | null;
  /** The group that the grant is to; null for others. */
  readonly groupId: GroupId | null;
  readonly role: FileRole;
}

export interface FolderStep {
  readonly folderId: FolderId;
  /** What is in it has no readers until it is restored. */
  readonly isTrashed: boolean;
}

export interface AccessExplanation {
  /** Undefined: the principal does not see the file. */
  readonly role: FileRole | undefined;
  /** Every way, also where something stands against them. */
  readonly paths: readonly AccessPath[];
  /** From the file's folder up to the top. */
  readonly folders: readonly FolderStep[];
  /** A folder above is not known: nothing below it has readers. */
  readonly isDetached: boolean;
  readonly hidden: readonly HiddenReason[];
}

const pathsTo = (
  state: FileAccessState,
  principalId: string,
  { type, id, ownerId }: AccessLevel,
): readonly AccessPath[] => {
  const resource = { resourceType: type, resourceId: id };
  const owner: readonly AccessPath[] =
    ownerId === principalId ? [{ ...resource, by: 'owner', grantId: null, groupId: null, role: 'owner' }] : [];
  const granted = grantsOn(state, type, id)
    .filter((grant) => admits(state, grant, principalId))
    .map(({ grantId, principalType, principalId: grantee, role }): AccessPath => {
      const groupId = principalType === 'group' ? (grantee as GroupId) : null;
      return { ...resource, by: principalType, grantId, groupId, role };
    });
  return [...owner, ...granted];
};

export const explainAccess = (state: FileAccessState, principalId: string, file: CreatedFile): AccessExplanation => {
  const { fileId, ownerId, folderId, hidden } = placedFile(state, file);
  const { folders: above, isDetached } = folderChain(state, folderId);
  const folders = above.map((folder): FolderStep => ({ folderId: folder.folderId, isTrashed: folder.isTrashed }));
  const levels = [{ type: 'file' as const, id: fileId, ownerId }, ...above.map(levelOfFolder)];
  const paths = levels.flatMap((level) => pathsTo(state, principalId, level));
  const isVisible = hidden.length === 0 && !isDetached && folders.every(({ isTrashed }) => !isTrashed);
  const role = paths.reduce<FileRole | undefined>((highest, path) => higherRole(highest, path.role), undefined);
  return { role: isVisible ? role : undefined, paths, folders, isDetached, hidden };
};
