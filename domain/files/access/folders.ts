/** Decisions on folders. They form a tree at every moment, also when several callers move them at once. */
import { right } from 'fp-ts/Either';
import { entriesOf } from '../../kernel/persistent-map';
import { reject } from '../../kernel/rejection';
import type { FolderId } from '../ids';
import { fileLimits } from '../limits';
import type { FilePermission } from '../roles';
import type {
  ChangeFolderOwner,
  CreateFolder,
  DeleteFolder,
  FolderCommand,
  MoveFolder,
  PurgeFolder,
  RenameFolder,
  TrashFolder,
} from './commands';
import { type AccessDecision, folderUnknown, refuseUnlessPermitted } from './rejections';
import {
  type FileAccessState,
  folderOf,
  holdOn,
  isWithin,
  placedFile,
  roleInDeletedFolder,
  roleInFolder,
  roleInTrashedFolder,
} from './state';

const refuseFolder = (state: FileAccessState, by: string, folderId: FolderId, act: FilePermission) =>
  refuseUnlessPermitted(roleInFolder(state, by, folderId), act, folderUnknown);

const depthOf = (state: FileAccessState, folderId: FolderId | null): number => {
  let depth = 0;
  for (let next = folderId; next !== null && depth <= fileLimits.folderDepth; depth += 1)
    next = folderOf(state, next)?.parentFolderId ?? null;
  return depth;
};

/** Levels of folders in it, itself included. */
const heightOf = (state: FileAccessState, folderId: FolderId): number => {
  const top = depthOf(state, folderId);
  let deepest = top;
  for (const [, { folderId: one }] of entriesOf(state.folders))
    if (isWithin(state, one, folderId)) deepest = Math.max(deepest, depthOf(state, one));
  return deepest - top + 1;
};

const tooDeep = (): AccessDecision =>
  reject('folder-too-deep', `Folders lie within each other ${fileLimits.folderDepth} deep at most.`);

const create = ({ by, folderId, name, parentFolderId }: CreateFolder, state: FileAccessState): AccessDecision => {
  if (folderOf(state, folderId) !== undefined) return right([]);
  const refused = parentFolderId === null ? undefined : refuseFolder(state, by, parentFolderId, 'write');
  if (refused !== undefined) return refused;
  if (state.folders.size >= fileLimits.folders)
    return reject('too-many-folders', `A tenant has ${fileLimits.folders} folders at most.`);
  if (depthOf(state, parentFolderId) >= fileLimits.folderDepth) return tooDeep();
  return right([{ type: 'FolderCreated', data: { folderId, name, parentFolderId, ownerId: by } }]);
};

const move = ({ by, folderId, parentFolderId }: MoveFolder, state: FileAccessState): AccessDecision => {
  const refused =
    refuseFolder(state, by, folderId, 'move') ??
    (parentFolderId === null ? undefined : refuseFolder(state, by, parentFolderId, 'write'));
  if (refused !== undefined) return refused;
  if (folderOf(state, folderId)?.parentFolderId === parentFolderId) return right([]);
  if (isWithin(state, parentFolderId, folderId))
    return reject('folder-cycle', 'A folder cannot be moved into itself or into a folder in it.');
  if (depthOf(state, parentFolderId) + heightOf(state, folderId) > fileLimits.folderDepth) return tooDeep();
  return right([{ type: 'FolderMoved', data: { folderId, parentFolderId } }]);
};

const rename = ({ by, folderId, name }: RenameFolder, state: FileAccessState): AccessDecision => {
  const refused = refuseFolder(state, by, folderId, 'write');
  if (refused !== undefined) return refused;
  return right(folderOf(state, folderId)?.name === name ? [] : [{ type: 'FolderRenamed', data: { folderId, name } }]);
};

/** To the trash and back, by the same principals. */
const trash = ({ type, by, folderId }: TrashFolder, state: FileAccessState): AccessDecision => {
  const refused = refuseUnlessPermitted(roleInTrashedFolder(state, by, folderId), 'move', folderUnknown);
  if (refused !== undefined) return refused;
  const isTrashed = folderOf(state, folderId)?.isTrashed === true;
  if (isTrashed === (type === 'TrashFolder')) return right([]);
  return right([{ type: isTrashed ? 'FolderRestored' : 'FolderTrashed', data: { folderId } }]);
};

const heldIn = ({ folderId, held }: DeleteFolder, state: FileAccessState): number =>
  held.filter(
    (file) => holdOn(state, file.fileId) !== undefined && isWithin(state, placedFile(state, file).folderId, folderId),
  ).length;

const remove = (command: DeleteFolder, state: FileAccessState): AccessDecision => {
  const { by, folderId } = command;
  const refused = refuseUnlessPermitted(roleInDeletedFolder(state, by, folderId), 'dispose', folderUnknown);
  if (refused !== undefined) return refused;
  if (folderOf(state, folderId)?.isDeleted === true) return right([]);
  const held = heldIn(command, state);
  if (held > 0)
    return reject(
      'folder-held',
      `${held === 1 ? 'A file' : `${held} files`} in the folder ${held === 1 ? 'is' : 'are'} under a legal hold, so it cannot be deleted for ever until that is lifted.`,
    );
  return right([{ type: 'FolderDeleted', data: { folderId, cause: 'person' } }]);
};

/** What was restored meanwhile stays. */
const purge = ({ folderId }: PurgeFolder, state: FileAccessState): AccessDecision => {
  const folder = folderOf(state, folderId);
  const isExempt = folder?.isTrashed !== true || folder.isDeleted;
  return right(isExempt ? [] : [{ type: 'FolderDeleted', data: { folderId, cause: 'retention' } }]);
};

const changeOwner = (
  { by, folderId, ownerId, inactiveOwner }: ChangeFolderOwner,
  state: FileAccessState,
): AccessDecision => {
  const before = folderOf(state, folderId)?.ownerId;
  const isAbandoned = before !== undefined && before === inactiveOwner && folderOf(state, folderId)?.isDeleted !== true;
  const refused = isAbandoned ? undefined : refuseFolder(state, by, folderId, 'dispose');
  if (refused !== undefined) return refused;
  return right(before === ownerId ? [] : [{ type: 'FolderOwnerChanged', data: { folderId, ownerId } }]);
};

export const decideFolder = (command: FolderCommand, state: FileAccessState): AccessDecision => {
  switch (command.type) {
    case 'CreateFolder':
      return create(command, state);
    case 'RenameFolder':
      return rename(command, state);
    case 'MoveFolder':
      return move(command, state);
    case 'TrashFolder':
    case 'RestoreFolder':
      return trash(command, state);
    case 'DeleteFolder':
      return remove(command, state);
    case 'PurgeFolder':
      return purge(command, state);
    case 'ChangeFolderOwner':
      return changeOwner(command, state);
  }
};
