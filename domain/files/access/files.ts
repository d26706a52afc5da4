/** Decisions on where files lie and whether they are shown. Deleted is for ever. */
import { right } from 'fp-ts/Either';
import type { ChangeFileOwner, DisposeOfFile, FileCommand, MoveFile, Quarantine } from './commands';
import { findValue } from './persistent-map';
import { type AccessDecision, fileUnknown, folderUnknown, refuseUnlessPermitted } from './rejections';
import { type FileAccessState, placedFile, roleInFile, roleInFolder, roleInHiddenFile } from './state';

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

const changeOwner = ({ by, file, ownerId }: ChangeFileOwner, state: FileAccessState): AccessDecision => {
  const refused = refuseUnlessPermitted(roleInFile(state, by, file), 'dispose', fileUnknown);
  if (refused !== undefined) return refused;
  const { fileId } = file;
  return right(
    placedFile(state, file).ownerId === ownerId ? [] : [{ type: 'FileOwnerChanged', data: { fileId, ownerId } }],
  );
};

const dispose = ({ type, by, file }: DisposeOfFile, state: FileAccessState): AccessDecision => {
  const { fileId } = file;
  const { hidden } = placedFile(state, file);
  const role = roleInHiddenFile(state, by, file);
  const refused = refuseUnlessPermitted(role, type === 'DeleteFile' ? 'dispose' : 'move', fileUnknown);
  if (refused !== undefined) return refused;
  if (hidden.includes('deleted')) return type === 'DeleteFile' ? right([]) : fileUnknown();
  if (type === 'DeleteFile') return right([{ type: 'FileHidden', data: { fileId, reason: 'deleted' } }]);
  const isTrashed = hidden.includes('trashed');
  if (isTrashed === (type === 'TrashFile')) return right([]);
  return right([{ type: isTrashed ? 'FileRevealed' : 'FileHidden', data: { fileId, reason: 'trashed' } }]);
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
    case 'HideFile':
    case 'RevealFile':
      return setHidden(command, state);
  }
};
