/** Decisions on where files lie and whether they are shown. Deleted is for ever. */
import { right } from 'fp-ts/Either';
import { findValue } from '../../kernel/persistent-map';
import { reject } from '../../kernel/rejection';
import type { FileId } from '../ids';
import type {
  ChangeFileOwner,
  DeleteFileOfFolder,
  DisposeOfFile,
  FileCommand,
  HoldFile,
  MoveFile,
  PurgeFile,
  Quarantine,
  ReleaseFile,
} from './commands';
import { type AccessDecision, fileUnknown, folderUnknown, refuseUnlessPermitted } from './rejections';
import {
  type FileAccessState,
  folderOf,
  holdOn,
  isInDeletedFolder,
  isWithin,
  placedFile,
  roleInFile,
  roleInFolder,
  roleInHiddenFile,
} from './state';

const move = ({ by, file, folderId }: MoveFile, state: FileAccessState): AccessDecision => {
  const refused =
    refuseUnlessPermitted(roleInFile(state, by, file), 'move', fileUnknown) ??
    (folderId === null ? undefined : refuseUnlessPermitted(roleInFolder(state, by, folderId), 'write', folderUnknown));
  if (refused !== undefined) return refused;
  const { fileId } = file;
  return right(
    placedFile(state, file).folderId === folderId ? [] : [{ type: 'FileMoved', data: { fileId, folderId } }],
  );
};

/** Also a file in the trash has a new owner by administrators, who can then restore it; a deleted one has none. */
const changeOwner = ({ by, file, ownerId, inactiveOwner }: ChangeFileOwner, state: FileAccessState): AccessDecision => {
  const { fileId, ownerId: before, hidden } = placedFile(state, file);
  const isAbandoned = before === inactiveOwner && !hidden.includes('deleted');
  const refused = isAbandoned ? undefined : refuseUnlessPermitted(roleInFile(state, by, file), 'dispose', fileUnknown);
  if (refused !== undefined) return refused;
  return right(before === ownerId ? [] : [{ type: 'FileOwnerChanged', data: { fileId, ownerId } }]);
};

const dispose = ({ type, by, file }: DisposeOfFile, state: FileAccessState): AccessDecision => {
  const { fileId } = file;
  const { hidden } = placedFile(state, file);
  const role = roleInHiddenFile(state, by, file);
  const refused = refuseUnlessPermitted(role, type === 'DeleteFile' ? 'dispose' : 'move', fileUnknown);
  if (refused !== undefined) return refused;
  if (hidden.includes('deleted')) return type === 'DeleteFile' ? right([]) : fileUnknown();
  if (type === 'DeleteFile' && holdOn(state, fileId) !== undefined)
    return reject('file-held', 'The file is under a legal hold, and cannot be deleted for ever until that is lifted.');
  if (type === 'DeleteFile') return right([{ type: 'FileHidden', data: { fileId, reason: 'deleted' } }]);
  const isTrashed = hidden.includes('trashed');
  if (isTrashed === (type === 'TrashFile')) return right([]);
  return right([{ type: isTrashed ? 'FileRevealed' : 'FileHidden', data: { fileId, reason: 'trashed' } }]);
};

const hiddenReasons = (state: FileAccessState, fileId: FileId) => findValue(state.files, fileId)?.hidden ?? [];

/** Deletion and hold are in one stream, so that of two at once the first counts. */
const hold = ({ by, fileId, reason }: HoldFile, state: FileAccessState): AccessDecision => {
  if (hiddenReasons(state, fileId).includes('deleted'))
    return reject('file-deleting', 'The deletion of the file has begun: there is nothing left to hold.');
  const isSame = holdOn(state, fileId)?.reason === reason;
  return right(isSame ? [] : [{ type: 'FileHeld', data: { fileId, reason, heldBy: by } }]);
};

const release = ({ by, fileId }: ReleaseFile, state: FileAccessState): AccessDecision =>
  right(holdOn(state, fileId) === undefined ? [] : [{ type: 'FileReleased', data: { fileId, releasedBy: by } }]);

/** A folder that is in the trash, somewhere above where the file lies now. */
const isInTrashedFolder = (state: FileAccessState, { folderId, file }: NonNullable<PurgeFile['inFolder']>): boolean =>
  folderOf(state, folderId)?.isTrashed === true && isWithin(state, placedFile(state, file).folderId, folderId);

/** What was restored meanwhile stays, and so does what is held. */
const purge = ({ fileId, cause, inFolder }: PurgeFile, state: FileAccessState): AccessDecision => {
  const hidden = hiddenReasons(state, fileId);
  const isTrashed = hidden.includes('trashed') || (inFolder !== undefined && isInTrashedFolder(state, inFolder));
  const isExempt = holdOn(state, fileId) !== undefined || (cause === 'retention' && !isTrashed);
  return right(isExempt || hidden.includes('deleted') ? [] : [{ type: 'FilePurged', data: { fileId, cause } }]);
};

/** Held files stay; when the hold is lifted, the reconciler finds them. */
const deleteOfFolder = ({ file }: DeleteFileOfFolder, state: FileAccessState): AccessDecision => {
  const { fileId, folderId, hidden } = placedFile(state, file);
  const isExempt = hidden.includes('deleted') || holdOn(state, fileId) !== undefined;
  return right(
    isExempt || !isInDeletedFolder(state, folderId)
      ? []
      : [{ type: 'FileHidden', data: { fileId, reason: 'deleted' } }],
  );
};

const setHidden = ({ type, fileId, reason }: Quarantine, state: FileAccessState): AccessDecision => {
  const isHidden = (findValue(state.files, fileId)?.hidden ?? []).includes(reason);
  if (isHidden === (type === 'HideFile')) return right([]);
  return right([{ type: isHidden ? 'FileRevealed' : 'FileHidden', data: { fileId, reason } }]);
};

export const decideFile = (command: FileCommand, state: FileAccessState): AccessDecision => {
  switch (command.type) {
    case 'MoveFile':
      return move(command, state);
    case 'ChangeFileOwner':
      return changeOwner(command, state);
    case 'TrashFile':
    case 'RestoreFile':
    case 'DeleteFile':
      return dispose(command, state);
    case 'HoldFile':
      return hold(command, state);
    case 'ReleaseFile':
      return release(command, state);
    case 'PurgeFile':
      return purge(command, state);
    case 'DeleteFileOfFolder':
      return deleteOfFolder(command, state);
    case 'HideFile':
    case 'RevealFile':
      return setHidden(command, state);
  }
};
