/**
 * The one way to a chunk that may be shown: results, snippets and answers take `AuthorizedChunk` only, and nothing else makes one. What takes
 * visibility away is in the access stream and in the file's, which are read to their ends after the chunks were found.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type FileAccessState, roleInFile } from '../../../domain/files/access/state';
import type { FileState } from '../../../domain/files/file/state';
import type { FileId } from '../../../domain/files/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { type FileSource, readFile, readFileAccess } from '../../../infra/server/files/file-access';
import type { ChunkRow } from '../../../projections/files/chunks/view';

declare const authorized: unique symbol;

/** As the index has it, without what only the index reads. */
export type FoundChunk = Omit<ChunkRow, 'embedding'>;

/** What the check reads of a chunk, wherever it was read from. */
type ChunkOrigin = Pick<ChunkRow, 'tenantId' | 'fileId' | 'versionId' | 'pipelineVersion'>;

/** Checked for one caller, for the answer to one request. */
export type Authorized<C extends ChunkOrigin> = C & { readonly [authorized]: true };
export type AuthorizedChunk = Authorized<FoundChunk>;

export interface Principal {
  readonly tenant: TenantId;
  readonly principalId: string;
}

/** At once: each is a read of a stream's tail. */
const maxReads = 16;

type States = ReadonlyMap<FileId, FileState>;

const readFiles = async (
  source: FileSource,
  tenant: TenantId,
  fileIds: readonly FileId[],
): Promise<Either<EventStoreFault, States>> => {
  const states = new Map<FileId, FileState>();
  for (let from = 0; from < fileIds.length; from += maxReads) {
    const some = fileIds.slice(from, from + maxReads);
    const read = await Promise.all(some.map((fileId) => readFile(source, tenant, fileId)));
    for (const [at, state] of read.entries()) {
      if (isLeft(state)) return state;
      states.set(some[at] as FileId, state.right);
    }
  }
  return right(states);
};

/** `any`: of each version of the file, for requests that name an earlier one. */
type AnsweringVersions = 'active' | 'any';

const isAuthorized = (
  chunk: ChunkOrigin,
  {
    file,
    access,
    principalId,
    versions,
  }: {
    readonly versions: AnsweringVersions;
    readonly file: FileState | undefined;
    readonly access: FileAccessState;
    readonly principalId: string;
  },
): boolean => {
  if (file === undefined || file.kind === 'none' || file.fileId !== chunk.fileId) return false;
  const { versionId, pipelineVersion } = file.active ?? {};
  const isActive = versionId === chunk.versionId && pipelineVersion === chunk.pipelineVersion;
  const isOfFile = versions === 'any' && file.versions.some((one) => one.versionId === chunk.versionId);
  return (isActive || isOfFile) && roleInFile(access, principalId, file) !== undefined;
};

/** Of the chunks, in their order, those of the version that answers of files that the principal may read now. */
export const authorizeChunks = async <C extends ChunkOrigin>(
  source: FileSource,
  { tenant, principalId }: Principal,
  chunks: readonly C[],
  versions: AnsweringVersions = 'active',
): Promise<Either<EventStoreFault, readonly Authorized<C>[]>> => {
  const own = chunks.filter((chunk) => chunk.tenantId === tenant);
  const files = await readFiles(source, tenant, [...new Set(own.map(({ fileId }) => fileId))]);
  if (isLeft(files)) return files;
  // Last: what was revoked while files were read is known.
  const access = await readFileAccess(source, tenant);
  if (isLeft(access)) return access;
  const check = (chunk: C): chunk is Authorized<C> =>
    isAuthorized(chunk, { file: files.right.get(chunk.fileId), access: access.right, principalId, versions });
  return right(own.filter(check));
};
