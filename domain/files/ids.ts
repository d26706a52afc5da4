/** Ids of the files context. */
import type { TypeOf } from 'io-ts';
import { idOf } from '../kernel/ids';

export const FileId = idOf('FileId');
export type FileId = TypeOf<typeof FileId>;

/** One upload of a file's content, which never changes. */
export const VersionId = idOf('FileVersionId');
export type VersionId = TypeOf<typeof VersionId>;

export const FolderId = idOf('FolderId');
export type FolderId = TypeOf<typeof FolderId>;

/** A role in a file or folder that a principal has by name. */
export const FileGrantId = idOf('FileGrantId');
export type FileGrantId = TypeOf<typeof FileGrantId>;

/** Principals that files are shared with together. */
export const GroupId = idOf('GroupId');
export type GroupId = TypeOf<typeof GroupId>;

export const ChunkId = idOf('ChunkId');
export type ChunkId = TypeOf<typeof ChunkId>;
