/** Files and folders in the trash, and what can be done with each. */
import {
  deleteFile,
  deleteFileFolder,
  restoreFile,
  restoreFileFolder,
} from '../../../../packages/client/src/operations';
import type { FileFolder, FileItem } from '../../../../packages/client/src/schemas';
import { nameOf } from '../labels';
import type { EachItem } from '../selection/each-dialog';

export type Trashed = FileItem | FileFolder;

export const isFile = (one: Trashed): one is FileItem => 'fileId' in one;
export const trashedId = (one: Trashed): string => (isFile(one) ? one.fileId : one.folderId);
export const trashedName = (one: Trashed): string => nameOf(isFile(one) ? one.filename : one.name);

export const restoreOf = (one: Trashed): EachItem => ({
  ...{ id: trashedId(one), name: trashedName(one) },
  command: isFile(one) ? restoreFile({ fileId: one.fileId }) : restoreFileFolder({ folderId: one.folderId }),
});

export const deletionOf = (one: Trashed): EachItem => ({
  ...{ id: trashedId(one), name: trashedName(one) },
  command: isFile(one) ? deleteFile({ fileId: one.fileId }) : deleteFileFolder({ folderId: one.folderId }),
});

/** What several are called together. */
export const nounOf = (all: readonly Trashed[]): string => {
  if (all.every(isFile)) return 'file';
  return all.some(isFile) ? 'item' : 'folder';
};
