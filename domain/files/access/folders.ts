/** Decisions on folders. They form a tree at every moment, whatever is moved at the same time. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { FolderId } from '../ids';
import { fileLimits } from '../limits';
import type { FilePermission } from '../roles';
import type { ChangeFolderOwner, CreateFolder, FolderCommand, MoveFolder, TrashFolder } from './commands';
import { entriesOf } from './persistent-map';
import { type AccessDecision, folderUnknown, refuseUnlessPermitted } from './rejections';
import { type FileAccessState, folderOf, roleInFolder } from './state';

const refuseFolder = (state: FileAccessState, by: string, folderId: FolderId, act: FilePermission) =>
  refuseUnlessPermitted(roleInFolder(state, by, folderId), act, folderUnknown);

const depthOf = (state: FileAccessState, folderId: FolderId | null): number => {
  let depth = 0;
  for (let next = folderId; next !== null && depth <= fileLimits.folderDepth; depth += 1)
    next = folderOf(state, next)?.parentFolderId ?? null;
  return depth;
};

const isWithin = (state: FileAccessState, inner: FolderId | null, outer: FolderId): boolean => {
  for (let next = inner; next !== null; next = folderOf(state, next)?.parentFolderId ?? null)
    if (next === outer) return true;
  return false;
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

const trash = ({ type, by, folderId }: TrashFolder, state: FileAccessState): AccessDecision => {
  const folder = folderOf(state, folderId);
  if (folder === undefined) return folderUnknown();
  const { isTrashed, parentFolderId } = folder;
  if (type === 'TrashFolder' && isTrashed) return folder.ownerId === by ? right([]) : folderUnknown();
  if (type === 'TrashFolder')
    return refuseFolder(state, by, folderId, 'move') ?? right([{ type: 'FolderTrashed', data: { folderId } }]);
  // Its role in the trash is that of the folder above, or of its owner.
  const role =
    folder.ownerId === by ? 'owner' : parentFolderId === null ? undefined : roleInFolder(state, by, parentFolderId);
  const refused = refuseUnlessPermitted(role, 'move', folderUnknown);
  if (refused !== undefined) return refused;
  return right(isTrashed ? [{ type: 'FolderRestored', data: { folderId } }] : []);
};

const changeOwner = ({ by, folderId, ownerId }: ChangeFolderOwner, state: FileAccessState): AccessDecision => {
  const refused = refuseFolder(state, by, folderId, 'dispose');
  if (refused !== undefined) return refused;
  return right(
    folderOf(state, folderId)?.ownerId === ownerId ? [] : [{ type: 'FolderOwnerChanged', data: { folderId, ownerId } }],
  );
};

export const decideFolder = (command: FolderCommand, state: FileAccessState): AccessDecision => {
  switch (command.type) {
    case 'CreateFolder':
      return create(command, state);
    case 'RenameFolder':
      return (
        refuseFolder(state, command.by, command.folderId, 'write') ??
        right([{ type: 'FolderRenamed', data: { folderId: command.folderId, name: command.name } }])
      );
    case 'MoveFolder':
      return move(command, state);
    case 'TrashFolder':
    case 'RestoreFolder':
      return trash(command, state);
    case 'ChangeFolderOwner':
      return changeOwner(command, state);
  }
};
