/**
 * What a search is restricted to: inside both queries of the index by labels, and then, for each chunk that they find, by the access stream as
 * it was read at the beginning. It is checked once more before anything is returned (`authorize-chunks.ts`).
 */
import { fileOfLabels } from '../../../domain/files/access/labels';
import { folderScope } from '../../../domain/files/access/readable-labels';
import { type FileAccessState, roleInFile } from '../../../domain/files/access/state';
import type { FileId, FolderId } from '../../../domain/files/ids';
import type { Filter } from '../../../infra/ports/views/index-query';
import type { ChunkRow } from '../../../projections/files/chunks/view';
import type { ReadableLabels } from '../readable-labels';

export interface SearchScope {
  readonly fileIds?: readonly FileId[];
  readonly folderIds?: readonly FolderId[];
}

export interface AccessFilter {
  readonly filter: Filter<ChunkRow>;
  readonly admits: (row: Pick<ChunkRow, 'aclPrincipals'>) => boolean;
}

/** Of one clause. */
const maxValues = 4_000;

const withAnyOf = (field: 'aclPrincipals' | 'fileId', values: readonly string[]): readonly Filter<ChunkRow>[] => {
  const clauses: Filter<ChunkRow>[] = [];
  for (let from = 0; from < values.length; from += maxValues)
    clauses.push({ kind: 'equals', field, value: values.slice(from, from + maxValues) });
  return clauses;
};

interface ResolvedScope {
  readonly filters: readonly Filter<ChunkRow>[];
  readonly contains: (file: NonNullable<ReturnType<typeof fileOfLabels>>) => boolean;
}

/** Undefined: everything that the caller may see. Ids of others add nothing. */
const resolveScope = (
  access: FileAccessState,
  principalId: string,
  { fileIds = [], folderIds = [] }: SearchScope,
): ResolvedScope | undefined => {
  if (fileIds.length === 0 && folderIds.length === 0) return undefined;
  const files = new Set(fileIds);
  const folders = folderScope(access, principalId, folderIds);
  return {
    filters: [...withAnyOf('fileId', fileIds), ...withAnyOf('aclPrincipals', folders.labels)],
    contains: (file) => files.has(file.fileId) || folders.contains(file),
  };
};

export const accessFilter = (
  access: FileAccessState,
  {
    principalId,
    scope,
    labelsOf,
  }: {
    readonly principalId: string;
    readonly scope: SearchScope;
    readonly labelsOf: ReadableLabels;
  },
): AccessFilter => {
  const readable: Filter<ChunkRow> = { kind: 'any', of: withAnyOf('aclPrincipals', labelsOf(access, principalId)) };
  const resolved = resolveScope(access, principalId, scope);
  return {
    filter: resolved === undefined ? readable : { kind: 'all', of: [readable, { kind: 'any', of: resolved.filters }] },
    admits: ({ aclPrincipals }) => {
      const file = fileOfLabels(aclPrincipals);
      if (file === undefined || roleInFile(access, principalId, file) === undefined) return false;
      return resolved === undefined || resolved.contains(file);
    },
  };
};
