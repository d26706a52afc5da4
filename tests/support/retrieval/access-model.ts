/** Any commands on access of a small tenant, and a second, naive way to compute access after them. */
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { FileAccessCommand } from '../../../domain/files/access/commands';
import { fileAccessRules } from '../../../domain/files/access/decider';
import type { FileAccessEvent } from '../../../domain/files/access/events';
import { type CreatedFile, type FileAccessState, noAccess } from '../../../domain/files/access/state';
import type { FileGrantId, FileId, FolderId, GroupId } from '../../../domain/files/ids';
import { type FileRole, higherRole } from '../../../domain/files/roles';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';

export const principals = ['ada', 'bob', 'eve'] as PrincipalId[];
export const folderIds = ['folder-1', 'folder-2', 'folder-3', 'folder-4', 'folder-5'] as FolderId[];
const groupIds = ['group-1', 'group-2'] as GroupId[];
const grantIds = ['grant-1', 'grant-2', 'grant-3', 'grant-4', 'grant-5', 'grant-6'] as FileGrantId[];
export const modelFiles: readonly CreatedFile[] = [
  { fileId: 'file-1' as FileId, ownerId: 'ada' as PrincipalId, folderId: null },
  { fileId: 'file-2' as FileId, ownerId: 'bob' as PrincipalId, folderId: 'folder-1' as FolderId },
  { fileId: 'file-3' as FileId, ownerId: 'eve' as PrincipalId, folderId: 'folder-3' as FolderId },
];

const by = fc.constantFrom(...principals);
const folderId = fc.constantFrom(...folderIds);
const parentFolderId = fc.option(folderId, { freq: 3 });
const groupId = fc.constantFrom(...groupIds);
const grantId = fc.constantFrom(...grantIds);
const file = fc.constantFrom(...modelFiles);
const fileId = file.map((one) => one.fileId);
const name = fc.constantFrom('One', 'Two');
const ownerId = by;
const resource = fc.oneof(
  fc.record({ type: fc.constant('file' as const), file }),
  fc.record({ type: fc.constant('folder' as const), folderId }),
);
const role = fc.constantFrom('editor' as const, 'viewer' as const);
const grantee = fc.oneof(
  fc.record({ principalType: fc.constant('user' as const), principalId: by }),
  fc.record({ principalType: fc.constant('group' as const), principalId: groupId }),
  fc.record({ principalType: fc.constant('tenant' as const), principalId: fc.constant('acme') }),
);

export const accessCommands: fc.Arbitrary<FileAccessCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('CreateFolder' as const), by, folderId, name, parentFolderId }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('MoveFolder' as const), by, folderId, parentFolderId }) },
  fc.record({ type: fc.constantFrom('TrashFolder' as const, 'RestoreFolder' as const), by, folderId }),
  fc.record({ type: fc.constant('RenameFolder' as const), by, folderId, name }),
  fc.record({ type: fc.constant('ChangeFolderOwner' as const), by, folderId, ownerId }),
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.record({ type: fc.constant('AddGrant' as const), by, grantId, resource, role }), grantee)
      .map(([command, to]) => ({ ...command, ...to })),
  },
  fc.record({ type: fc.constant('RevokeGrant' as const), by, grantId, resource }),
  fc.record({ type: fc.constant('CreateGroup' as const), by, groupId, name }),
  fc.record({
    ...{ type: fc.constantFrom('RenameGroup' as const, 'DeleteGroup' as const), by, groupId, name },
    isAdministrator: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ type: fc.constantFrom('AddGroupMember' as const, 'RemoveGroupMember' as const), by, groupId },
      ...{ principalId: by, isAdministrator: fc.boolean() },
    }),
  },
  fc.record({ type: fc.constant('MoveFile' as const), by, file, folderId: parentFolderId }),
  fc.record({ type: fc.constant('ChangeFileOwner' as const), by, file, ownerId }),
  fc.record({
    ...{ type: fc.constantFrom('TrashFile' as const, 'RestoreFile' as const, 'DeleteFile' as const), by, file },
  }),
  fc.record({ type: fc.constant('HoldFile' as const), by, fileId, reason: name }),
  fc.record({ type: fc.constant('ReleaseFile' as const), by, fileId }),
  fc.record({ type: fc.constant('PurgeFile' as const), fileId, cause: fc.constant('retention' as const) }),
  fc.record({ file, folderId }).map(({ file: one, folderId: trashed }) => ({
    ...{ type: 'PurgeFile' as const, fileId: one.fileId, cause: 'retention' as const },
    inFolder: { folderId: trashed, file: one },
  })),
  fc.record({
    type: fc.constantFrom('HideFile' as const, 'RevealFile' as const),
    fileId,
    reason: fc.constant('quarantined' as const),
  }),
);

/** Of a principal in a file or folder, computed from the list of events each time. */
export const naiveAccess = (events: readonly FileAccessEvent[]) => {
  type Of<Type extends FileAccessEvent['type']> = Extract<FileAccessEvent, { type: Type }>;
  const all = <Type extends FileAccessEvent['type']>(...types: readonly Type[]): readonly Of<Type>[] =>
    events.filter((event): event is Of<Type> => (types as readonly string[]).includes(event.type));
  const indexOf = (event: FileAccessEvent): number => events.indexOf(event);

  const parentOf = (folder: FolderId): FolderId | null =>
    all('FolderCreated', 'FolderMoved').findLast(({ data }) => data.folderId === folder)?.data.parentFolderId ?? null;
  const ownerOf = (folder: FolderId): PrincipalId | undefined =>
    all('FolderCreated', 'FolderOwnerChanged').findLast(({ data }) => data.folderId === folder)?.data.ownerId;
  const isInUse = (folder: FolderId): boolean =>
    all('FolderCreated').some(({ data }) => data.folderId === folder) &&
    all('FolderTrashed', 'FolderRestored').findLast(({ data }) => data.folderId === folder)?.type !== 'FolderTrashed';

  const isMember = (group: string, principal: string): boolean => {
    const begun = all('GroupCreated').findLast(({ data }) => data.groupId === group);
    const ended = all('GroupDeleted').findLast(({ data }) => data.groupId === group);
    if (begun === undefined || (ended !== undefined && indexOf(ended) > indexOf(begun))) return false;
    return (
      all('GroupMemberAdded', 'GroupMemberRemoved').findLast(
        (event) =>
          indexOf(event) > indexOf(begun) && event.data.groupId === group && event.data.principalId === principal,
      )?.type === 'GroupMemberAdded'
    );
  };
  const granted = (principal: string, type: 'file' | 'folder', id: string): FileRole | undefined =>
    all('GrantAdded')
      .filter(
        (added) =>
          !all('GrantRevoked').some(
            (revoked) => revoked.data.grantId === added.data.grantId && indexOf(revoked) > indexOf(added),
          ),
      )
      .filter(({ data }) => data.resourceType === type && data.resourceId === id)
      .filter(({ data: { principalType, principalId } }) => {
        if (principalType === 'tenant') return true;
        return principalType === 'user' ? principalId === principal : isMember(principalId, principal);
      })
      .reduce<FileRole | undefined>((highest, { data }) => higherRole(highest, data.role), undefined);

  const foldersAbove = (folder: FolderId | null): readonly FolderId[] =>
    folder === null ? [] : [folder, ...foldersAbove(parentOf(folder))];
  const inFolders = (principal: string, above: readonly FolderId[]): FileRole | undefined =>
    above.reduce<FileRole | undefined>(
      (highest, one) => higherRole(highest, ownerOf(one) === principal ? 'owner' : granted(principal, 'folder', one)),
      undefined,
    );

  const placeOf = ({ fileId, ownerId: creator, folderId: created }: CreatedFile) => {
    const moved = all('FileMoved').findLast(({ data }) => data.fileId === fileId);
    const changed = all('FileOwnerChanged').findLast(({ data }) => data.fileId === fileId);
    return {
      above: foldersAbove(moved === undefined ? created : moved.data.folderId),
      owner: changed?.data.ownerId ?? creator,
      hidden: (['trashed', 'deleted', 'quarantined'] as const).filter(
        (reason) =>
          all('FileHidden', 'FileRevealed').findLast(({ data }) => data.fileId === fileId && data.reason === reason)
            ?.type === 'FileHidden',
      ),
      isPurged: all('FilePurged').some(({ data }) => data.fileId === fileId),
    };
  };

  return {
    foldersAbove,
    roleInFolder: (principal: string, folder: FolderId): FileRole | undefined => {
      const above = foldersAbove(folder);
      return above.every(isInUse) ? inFolders(principal, above) : undefined;
    },
    isInTrash: (one: CreatedFile): boolean => {
      const { above, hidden } = placeOf(one);
      return hidden.includes('trashed') || !above.every(isInUse);
    },
    isHeld: ({ fileId: id }: CreatedFile): boolean =>
      all('FileHeld', 'FileReleased').findLast(({ data }) => data.fileId === id)?.type === 'FileHeld',
    roleInFile: (principal: string, one: CreatedFile): FileRole | undefined => {
      const { above, owner, hidden, isPurged } = placeOf(one);
      if (isPurged || hidden.length > 0 || !above.every(isInUse)) return undefined;
      if (owner === principal) return 'owner';
      return higherRole(granted(principal, 'file', one.fileId), inFolders(principal, above));
    },
  };
};

export interface Course {
  readonly events: readonly FileAccessEvent[];
  readonly state: FileAccessState;
}

export const courseOf = (sequence: readonly FileAccessCommand[]): Course => {
  const events: FileAccessEvent[] = [];
  let state = noAccess;
  for (const command of sequence) {
    const decision = fileAccessRules.decide(command, state);
    if (isLeft(decision)) continue;
    events.push(...decision.right);
    state = fold(fileAccessRules, state, decision.right);
  }
  return { events, state };
};

/** Long, for most commands are refused. */
export const commandSequences = fc.array(accessCommands, { minLength: 20, maxLength: 120, size: 'max' });
