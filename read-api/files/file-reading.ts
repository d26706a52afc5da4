/** What every query of files reads, and the check that comes first: access is folded from the log, never taken from a view. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { FileId } from '../../domain/files/ids';
import { record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import type { JobLookup } from '../../infra/ports/processes/work-queue';
import { type FileSource, type PermittedFile, requireFile } from '../../infra/server/files/file-access';
import { fileAccessProblems } from '../../infra/server/files/problems';
import { commonProblems, type Problem, problem, problemOf } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';
import type { QueryDeps } from '../kernel/row-queries';
import type { ReadableLabels } from './readable-labels';

export interface FileReading extends QueryDeps {
  /** The log, with the states that were folded of it. */
  readonly source: FileSource;
  readonly labelsOf: ReadableLabels;
  readonly jobs: JobLookup;
}

export const scopes = ['files:read'];

export const FilePath = record('FilePath', { fileId: FileId });

export const readProblems = {
  ...fileAccessProblems,
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'not-yet-visible': commonProblems['not-yet-visible'],
  'view-store-unavailable': commonProblems['view-store-unavailable'],
};

export type Caller = Pick<Identity, 'tenantId' | 'principalId'>;

/** The tenant, as far as the token names one. */
export const tenantOf = ({ tenantId }: Caller): Either<Problem, TenantId> =>
  TenantId.is(tenantId) ? right(tenantId) : left(problem('forbidden', 'The tenant of the token is unknown.'));

export interface ReadableFile extends PermittedFile {
  readonly tenant: TenantId;
}

/** Without a role, the answer does not reveal whether the file exists. */
export const requireReadableFile = async (
  { source }: Pick<FileReading, 'source'>,
  caller: Caller,
  fileId: FileId,
): Promise<Either<Problem, ReadableFile>> => {
  const tenant = tenantOf(caller);
  if (isLeft(tenant)) return tenant;
  const { principalId } = caller;
  const found = await requireFile(source, { tenant: tenant.right, fileId, principalId, act: 'read' });
  return isLeft(found) ? left(problemOf(found.left, readProblems)) : right({ ...found.right, tenant: tenant.right });
};

export const fileUnknown: Problem = problemOf(
  { kind: 'rejection', code: 'file-unknown', detail: 'There is no such file, or it is not shared with the caller.' },
  readProblems,
);

export const versionUnknown: Problem = problemOf(
  { kind: 'rejection', code: 'version-unknown', detail: 'The file has no such version.' },
  readProblems,
);
