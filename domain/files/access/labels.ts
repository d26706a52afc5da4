/**
 * Labels that read models filter files by, so that a grant on a folder changes no row of the files in it. They are those of where a file
 * lay when its row was written: what passes is checked against the access stream.
 */
import type { PrincipalId } from '../../kernel/ids';
import type { FileId, FolderId } from '../ids';

export const fileLabel = (fileId: FileId): string => `file:${fileId}`;
export const folderLabel = (folderId: FolderId): string => `folder:${folderId}`;
export const ownerLabel = (ownerId: string): string => `user:${ownerId}`;

interface LabelledFile {
  readonly fileId: FileId;
  /** Null: at the top, where no folder leads to it. */
  readonly folderId: FolderId | null;
  readonly ownerId: PrincipalId;
}

export const labelsOfFile = ({ fileId, folderId, ownerId }: LabelledFile): readonly string[] => [
  fileLabel(fileId),
  ...(folderId === null ? [] : [folderLabel(folderId)]),
  ownerLabel(ownerId),
];

const idAfter = (labels: readonly string[], prefix: string): string | undefined =>
  labels.find((label) => label.startsWith(prefix))?.slice(prefix.length);

/** Undefined: these are not the labels of one file. */
export const fileOfLabels = (labels: readonly string[]): LabelledFile | undefined => {
  const fileId = idAfter(labels, 'file:');
  const ownerId = idAfter(labels, 'user:');
  if (fileId === undefined || ownerId === undefined) return undefined;
  const folderId = idAfter(labels, 'folder:') ?? null;
  return { fileId: fileId as FileId, folderId: folderId as FolderId | null, ownerId: ownerId as PrincipalId };
};
