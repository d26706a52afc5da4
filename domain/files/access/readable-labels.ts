/** What a principal's queries are filtered by: a label for each way that leads to a file. They admit too much after a move, never too little. */

import { entriesOf } from '../../kernel/persistent-map';
import type { FileId, FolderId } from '../ids';
import { fileLabel, folderLabel, ownerLabel } from './labels';
import { type CreatedFile, type FileAccessState, filesByName, folderOf, placedFile, readableFolders } from './state';

export const labelsReadableBy = (state: FileAccessState, principalId: string): readonly string[] => {
  const folders = readableFolders(state, principalId);
  return [
    ownerLabel(principalId),
    ...[...folders.keys()].map(folderLabel),
    ...filesByName(state, principalId, folders).map(fileLabel),
  ];
};

/** Folders with everything in them. */
export interface FolderScope {
  readonly labels: readonly string[];
  /** As the file lies now. */
  readonly contains: (file: CreatedFile) => boolean;
}

const isBelow = (state: FileAccessState, folderId: FolderId, roots: ReadonlySet<FolderId>): boolean => {
  for (let next: FolderId | null = folderId; next !== null; next = folderOf(state, next)?.parentFolderId ?? null)
    if (roots.has(next)) return true;
  return false;
};

/** Folders that the principal may not read are left out, as if they were empty. */
export const folderScope = (
  state: FileAccessState,
  principalId: string,
  folderIds: readonly FolderId[],
): FolderScope => {
  const readable = readableFolders(state, principalId);
  const roots = new Set(folderIds.filter((folderId) => readable.has(folderId)));
  const folders = new Set([...readable.keys()].filter((folderId) => isBelow(state, folderId, roots)));
  const has = (folderId: FolderId | null | undefined): boolean =>
    folderId !== null && folderId !== undefined && folders.has(folderId);
  const moved = [...entriesOf(state.files)].flatMap(([fileId, facts]) =>
    has(facts.folderId) ? [fileId as FileId] : [],
  );
  return {
    labels: [...[...folders].map(folderLabel), ...moved.map(fileLabel)],
    contains: (file) => has(placedFile(state, file).folderId),
  };
};
