/** Who has which role where: folded from the access stream, by commands that change it and by reads that are held to it. */
import type { PrincipalId } from '../../kernel/ids';
import {
  emptyMap,
  entriesOf,
  findValue,
  type PersistentMap,
  withoutValue,
  withValue,
} from '../../kernel/persistent-map';
import type { Forgotten } from '../../kernel/secret';
import type { FileGrantId, FileId, FolderId, GroupId } from '../ids';
import { type FileRole, type GrantedRole, higherRole } from '../roles';
import type { FileAccessEvent, GrantPrincipalType, HiddenReason, ResourceType } from './events';

export interface Folder {
  readonly folderId: FolderId;
  readonly name: string | Forgotten;
  readonly parentFolderId: FolderId | null;
  readonly ownerId: PrincipalId;
  readonly isTrashed: boolean;
  /** For ever; it then counts as trashed, too. */
  readonly isDeleted: boolean;
}

export interface Grant {
  readonly grantId: FileGrantId;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  readonly principalType: GrantPrincipalType;
  readonly principalId: string;
  readonly role: GrantedRole;
}

export interface Group {
  readonly name: string | Forgotten;
  readonly createdBy: PrincipalId;
  readonly members: readonly PrincipalId[];
}

/** A file under it is not deleted for ever. */
export interface LegalHold {
  readonly reason: string | Forgotten;
  readonly heldBy: PrincipalId;
}

/** Where a file lies, as far as it differs from how it was created. */
interface FileFacts {
  readonly folderId?: FolderId | null;
  readonly ownerId?: PrincipalId;
  readonly hidden: readonly HiddenReason[];
  readonly hold?: LegalHold | undefined;
}

export interface FileAccessState {
  readonly folders: PersistentMap<Folder>;
  readonly grants: PersistentMap<Grant>;
  /** Ids of grants, by `file:<id>` and `folder:<id>`. */
  readonly grantsOf: PersistentMap<readonly FileGrantId[]>;
  readonly groups: PersistentMap<Group>;
  readonly groupsOf: PersistentMap<readonly GroupId[]>;
  readonly files: PersistentMap<FileFacts>;
}

export const noAccess: FileAccessState = {
  folders: emptyMap,
  grants: emptyMap,
  grantsOf: emptyMap,
  groups: emptyMap,
  groupsOf: emptyMap,
  files: emptyMap,
};

/** A file as it was created; what changed since is in the state. */
export interface CreatedFile {
  readonly fileId: FileId;
  readonly ownerId: PrincipalId;
  readonly folderId: FolderId | null;
}

const resourceKey = (type: ResourceType, id: string): string => `${type}:${id}`;

export const folderOf = (state: FileAccessState, folderId: FolderId): Folder | undefined =>
  findValue(state.folders, folderId);

/** As it is now: owner, folder, and why it is hidden. */
export const placedFile = (
  state: FileAccessState,
  file: CreatedFile,
): CreatedFile & { readonly hidden: readonly HiddenReason[] } => {
  const { folderId = file.folderId, ownerId = file.ownerId, hidden = [] } = findValue(state.files, file.fileId) ?? {};
  return { fileId: file.fileId, folderId, ownerId, hidden };
};

export const holdOn = (state: FileAccessState, fileId: FileId): LegalHold | undefined =>
  findValue(state.files, fileId)?.hold;

export const grantsOn = (state: FileAccessState, type: ResourceType, id: string): readonly Grant[] =>
  (findValue(state.grantsOf, resourceKey(type, id)) ?? []).flatMap((grantId) => findValue(state.grants, grantId) ?? []);

/** Whether the inner folder is the outer one, or lies in it. */
export const isWithin = (state: FileAccessState, inner: FolderId | null, outer: FolderId): boolean => {
  for (let next = inner; next !== null; next = folderOf(state, next)?.parentFolderId ?? null)
    if (next === outer) return true;
  return false;
};

interface FolderChain {
  readonly folders: readonly Folder[];
  /** A folder above is not known: nothing below it has readers. */
  readonly isDetached: boolean;
}

/** From the folder up to the top, also where some are in the trash. */
export const folderChain = (state: FileAccessState, folderId: FolderId | null): FolderChain => {
  const folders: Folder[] = [];
  for (let next = folderId; next !== null; ) {
    const folder = folderOf(state, next);
    if (folder === undefined) return { folders, isDetached: true };
    folders.push(folder);
    next = folder.parentFolderId;
  }
  return { folders, isDetached: false };
};

/** From the folder up to the top; undefined where one is trashed or unknown. */
export const chainOf = (state: FileAccessState, folderId: FolderId | null): readonly Folder[] | undefined => {
  const { folders, isDetached } = folderChain(state, folderId);
  return isDetached || folders.some(({ isTrashed }) => isTrashed) ? undefined : folders;
};

/** Whether the folder, or one above it, was deleted for ever. */
export const isInDeletedFolder = (state: FileAccessState, folderId: FolderId | null): boolean =>
  folderChain(state, folderId).folders.some(({ isDeleted }) => isDeleted);

export const admits = (state: FileAccessState, grant: Grant, principalId: string): boolean => {
  switch (grant.principalType) {
    case 'user':
      return grant.principalId === principalId;
    case 'group':
      return (findValue(state.groupsOf, principalId) ?? []).some((groupId) => groupId === grant.principalId);
    case 'tenant':
      return true;
  }
};

const grantedRole = (
  state: FileAccessState,
  principalId: string,
  resource: { readonly type: ResourceType; readonly id: string },
): FileRole | undefined =>
  grantsOn(state, resource.type, resource.id).reduce<FileRole | undefined>(
    (role, grant) => (admits(state, grant, principalId) ? higherRole(role, grant.role) : role),
    undefined,
  );

const roleInChain = (state: FileAccessState, principalId: string, chain: readonly Folder[]): FileRole | undefined =>
  chain.reduce<FileRole | undefined>((role, { folderId, ownerId }) => {
    const own = ownerId === principalId ? 'owner' : grantedRole(state, principalId, { type: 'folder', id: folderId });
    return higherRole(role, own);
  }, undefined);

/** Of a folder that is in use, by itself and by those above it. */
export const roleInFolder = (state: FileAccessState, principalId: string, folderId: FolderId): FileRole | undefined => {
  const chain = chainOf(state, folderId);
  return chain === undefined ? undefined : roleInChain(state, principalId, chain);
};

/** Of a folder that may be in the trash: the role that it gives once it is restored. */
export const roleInTrashedFolder = (
  state: FileAccessState,
  principalId: string,
  folderId: FolderId,
): FileRole | undefined =>
  folderOf(state, folderId)?.isDeleted === true ? undefined : roleInDeletedFolder(state, principalId, folderId);

/** Of a folder that may be in the trash or deleted for ever: the role in it before that. */
export const roleInDeletedFolder = (
  state: FileAccessState,
  principalId: string,
  folderId: FolderId,
): FileRole | undefined => {
  const folder = folderOf(state, folderId);
  const above = folder === undefined ? undefined : chainOf(state, folder.parentFolderId);
  return folder === undefined || above === undefined ? undefined : roleInChain(state, principalId, [folder, ...above]);
};

/** Of a file that is shown. The result is undefined for what is trashed, deleted or quarantined, for its owner as well. */
export const roleInFile = (state: FileAccessState, principalId: string, file: CreatedFile): FileRole | undefined => {
  const { hidden } = placedFile(state, file);
  return hidden.length > 0 ? undefined : roleInHiddenFile(state, principalId, file);
};

/** The role that the file gives once it is shown again: for the trash. */
export const roleInHiddenFile = (
  state: FileAccessState,
  principalId: string,
  file: CreatedFile,
): FileRole | undefined => {
  const { folderId, ownerId, fileId } = placedFile(state, file);
  const chain = chainOf(state, folderId);
  if (chain === undefined) return undefined;
  if (ownerId === principalId) return 'owner';
  const own = grantedRole(state, principalId, { type: 'file', id: fileId });
  return higherRole(own, roleInChain(state, principalId, chain));
};

/** All folders that the principal may read: what a search is filtered by. */
export const readableFolders = (state: FileAccessState, principalId: string): ReadonlyMap<FolderId, FileRole> => {
  const roles = new Map<FolderId, FileRole | undefined>();
  const visit = (folder: Folder): FileRole | undefined => {
    const { folderId, parentFolderId, ownerId } = folder;
    if (roles.has(folderId)) return roles.get(folderId);
    const parent = parentFolderId === null ? undefined : folderOf(state, parentFolderId);
    const isCut = folder.isTrashed || (parentFolderId !== null && (parent === undefined || isInTrash(state, parent)));
    const own = ownerId === principalId ? 'owner' : grantedRole(state, principalId, { type: 'folder', id: folderId });
    const role = isCut ? undefined : higherRole(own, parent === undefined ? undefined : visit(parent));
    roles.set(folderId, role);
    return role;
  };
  for (const [, folder] of entriesOf(state.folders)) visit(folder);
  return new Map([...roles].flatMap(([folderId, role]) => (role === undefined ? [] : [[folderId, role] as const])));
};

const isInTrash = (state: FileAccessState, { folderId }: Folder): boolean => chainOf(state, folderId) === undefined;

/**
 * Files that the principal has a grant on, and files that came to one of these folders or to the principal after they were created: neither
 * the folder nor the owner that they were created with leads to them.
 */
export const filesByName = (
  state: FileAccessState,
  principalId: string,
  folders: ReadonlyMap<FolderId, FileRole>,
): readonly FileId[] => {
  const granted = [...entriesOf(state.grants)].flatMap(([, grant]) =>
    grant.resourceType === 'file' && admits(state, grant, principalId) ? [grant.resourceId as FileId] : [],
  );
  const changed = [...entriesOf(state.files)].flatMap(([fileId, { folderId, ownerId }]) =>
    ownerId === principalId || (folderId !== undefined && folderId !== null && folders.has(folderId))
      ? [fileId as FileId]
      : [],
  );
  return [...new Set([...granted, ...changed])];
};

const withFile = (state: FileAccessState, fileId: FileId, change: (facts: FileFacts) => FileFacts): FileAccessState => {
  const before = findValue(state.files, fileId) ?? { hidden: [] };
  return { ...state, files: withValue(state.files, fileId, change(before)) };
};

const withFolder = (
  state: FileAccessState,
  folderId: FolderId,
  change: Partial<Omit<Folder, 'folderId'>>,
): FileAccessState => {
  const before = folderOf(state, folderId);
  return before === undefined
    ? state
    : { ...state, folders: withValue(state.folders, folderId, { ...before, ...change }) };
};

const withGroup = (
  state: FileAccessState,
  groupId: GroupId,
  change: (group: Group) => Partial<Group>,
): FileAccessState => {
  const before = findValue(state.groups, groupId);
  return before === undefined
    ? state
    : { ...state, groups: withValue(state.groups, groupId, { ...before, ...change(before) }) };
};

const outOfGroup = (
  groupsOf: FileAccessState['groupsOf'],
  groupId: GroupId,
  principalId: PrincipalId,
): FileAccessState['groupsOf'] =>
  withValue(
    groupsOf,
    principalId,
    (findValue(groupsOf, principalId) ?? []).filter((one) => one !== groupId),
  );

const withoutMember = (state: FileAccessState, groupId: GroupId, principalId: PrincipalId): FileAccessState => ({
  ...withGroup(state, groupId, ({ members }) => ({ members: members.filter((one) => one !== principalId) })),
  groupsOf: outOfGroup(state.groupsOf, groupId, principalId),
});

/** Of a group that was deleted there are no members. */
const withMember = (state: FileAccessState, groupId: GroupId, principalId: PrincipalId): FileAccessState => {
  const group = findValue(state.groups, groupId);
  if (group === undefined || group.members.includes(principalId)) return state;
  const groups = [...(findValue(state.groupsOf, principalId) ?? []), groupId];
  return {
    ...withGroup(state, groupId, ({ members }) => ({ members: [...members, principalId] })),
    groupsOf: withValue(state.groupsOf, principalId, groups),
  };
};

const withoutGroup = (state: FileAccessState, groupId: GroupId): FileAccessState => ({
  ...state,
  groups: withoutValue(state.groups, groupId),
  groupsOf: (findValue(state.groups, groupId)?.members ?? []).reduce(
    (groupsOf, principalId) => outOfGroup(groupsOf, groupId, principalId),
    state.groupsOf,
  ),
});

const withGrant = (state: FileAccessState, grant: Grant): FileAccessState => {
  const key = resourceKey(grant.resourceType, grant.resourceId);
  return {
    ...state,
    grants: withValue(state.grants, grant.grantId, grant),
    grantsOf: withValue(state.grantsOf, key, [...(findValue(state.grantsOf, key) ?? []), grant.grantId]),
  };
};

const withoutGrant = (state: FileAccessState, grantId: FileGrantId): FileAccessState => {
  const grant = findValue(state.grants, grantId);
  if (grant === undefined) return state;
  const key = resourceKey(grant.resourceType, grant.resourceId);
  const others = (findValue(state.grantsOf, key) ?? []).filter((one) => one !== grantId);
  return {
    ...state,
    grants: withoutValue(state.grants, grantId),
    grantsOf: withValue(state.grantsOf, key, others),
  };
};

export const evolve = (state: FileAccessState, { type, data }: FileAccessEvent): FileAccessState => {
  switch (type) {
    case 'FolderCreated': {
      const { folderId, name, parentFolderId, ownerId } = data;
      const folder = { folderId, name, parentFolderId, ownerId, isTrashed: false, isDeleted: false };
      return { ...state, folders: withValue(state.folders, folderId, folder) };
    }
    case 'FolderRenamed':
      return withFolder(state, data.folderId, { name: data.name });
    case 'FolderMoved':
      return withFolder(state, data.folderId, { parentFolderId: data.parentFolderId });
    case 'FolderTrashed':
      return withFolder(state, data.folderId, { isTrashed: true });
    case 'FolderRestored':
      return withFolder(state, data.folderId, { isTrashed: false });
    case 'FolderDeleted':
      return withFolder(state, data.folderId, { isTrashed: true, isDeleted: true });
    case 'FolderOwnerChanged':
      return withFolder(state, data.folderId, { ownerId: data.ownerId });
    case 'GrantAdded': {
      const { grantedBy: _, ...grant } = data;
      return withGrant(state, grant);
    }
    case 'GrantRevoked':
      return withoutGrant(state, data.grantId);
    case 'GroupCreated': {
      const { groupId, name, createdBy } = data;
      return { ...state, groups: withValue(state.groups, groupId, { name, createdBy, members: [] }) };
    }
    case 'GroupRenamed':
      return withGroup(state, data.groupId, () => ({ name: data.name }));
    case 'GroupDeleted':
      return withoutGroup(state, data.groupId);
    case 'GroupMemberAdded':
      return withMember(state, data.groupId, data.principalId);
    case 'GroupMemberRemoved':
      return withoutMember(state, data.groupId, data.principalId);
    case 'FileMoved':
      return withFile(state, data.fileId, (facts) => ({ ...facts, folderId: data.folderId }));
    case 'FileOwnerChanged':
      return withFile(state, data.fileId, (facts) => ({ ...facts, ownerId: data.ownerId }));
    case 'FileHidden':
      return withFile(state, data.fileId, (facts) => ({
        ...facts,
        hidden: [...facts.hidden.filter((one) => one !== data.reason), data.reason],
      }));
    case 'FilePurged':
      return withFile(state, data.fileId, (facts) => ({ ...facts, hidden: [...facts.hidden, 'deleted'] }));
    case 'FileHeld':
      return withFile(state, data.fileId, (facts) => ({
        ...facts,
        hold: { reason: data.reason, heldBy: data.heldBy },
      }));
    case 'FileReleased':
      return withFile(state, data.fileId, (facts) => ({ ...facts, hold: undefined }));
    case 'FileRevealed':
      return withFile(state, data.fileId, (facts) => ({
        ...facts,
        hidden: facts.hidden.filter((one) => one !== data.reason),
      }));
  }
};
