/** GET /v1/file-orphans: files and folders whose owner is no active principal, for administrators who hand them over. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type FileAccessState, placedFile } from '../../domain/files/access/state';
import { FileId, FolderId } from '../../domain/files/ids';
import { Instant, integer, nullable, oneOf, record } from '../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../domain/kernel/ids';
import { entriesOf } from '../../domain/kernel/persistent-map';
import type { Scalar, ViewFault } from '../../infra/ports/views/view-store';
import { readFileAccess } from '../../infra/server/files/file-access';
import { problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { route } from '../../infra/server/http/routing/route';
import { filesView } from '../../projections/files/files/view';
import { principalsView } from '../../projections/identity/principals/view';
import { defaultLimit, pageAnswers, pageQuery, refuseCursor } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { type FileReading, readProblems, tenantOf } from './file-reading';
import { visiblePosition } from './files';

const Orphan = record('FileOrphan', {
  /** Of a file or a folder; the other one is null. No names: only principals with a role read them. */
  fileId: nullable(FileId),
  folderId: nullable(FolderId),
  ownerId: PrincipalId,
  /** Of files. */
  sizeBytes: nullable(integer(1)),
  createdAt: nullable(Instant),
  isTrashed: t.boolean,
});
type Orphan = t.TypeOf<typeof Orphan>;

/** Suspended or compromised, of the tenant. */
const inactivePrincipals = async (
  { views }: Pick<FileReading, 'views'>,
  tenant: TenantId,
): Promise<Either<ViewFault, readonly PrincipalId[]>> => {
  const found: PrincipalId[] = [];
  const limit = 1_000;
  for (let after: readonly Scalar[] = []; ; ) {
    const rows = await views.page(principalsView, tenant, {
      where: { status: ['SUSPENDED', 'COMPROMISED'] },
      order: [
        { field: 'createdAt', direction: 'asc' },
        { field: 'principalId', direction: 'asc' },
      ],
      ...(after.length === 0 ? {} : { after }),
      limit,
    });
    if (isLeft(rows)) return rows;
    found.push(...rows.right.map(({ principalId }) => principalId));
    const last = rows.right.at(-1);
    if (last === undefined || rows.right.length < limit) return right(found);
    after = [last.createdAt, last.principalId];
  }
};

interface OrphanRequest {
  readonly tenant: TenantId;
  readonly owners: ReadonlySet<string>;
  readonly access: FileAccessState;
  /** Of the last one of the page before; empty at the beginning. */
  readonly after: readonly Scalar[];
  readonly limit: number;
}

interface OrphanPage {
  readonly items: readonly Orphan[];
  readonly next: readonly Scalar[] | undefined;
}

const orphanedFolders = ({ owners, access, after: [lastId], limit }: OrphanRequest): OrphanPage => {
  const folders = [...entriesOf(access.folders)]
    .map(([, folder]) => folder)
    .filter(({ ownerId, isDeleted }) => owners.has(ownerId) && !isDeleted)
    .filter(({ folderId }) => lastId === undefined || folderId > String(lastId))
    .toSorted((one, other) => (one.folderId < other.folderId ? -1 : 1));
  const items = folders.slice(0, limit).map(
    ({ folderId, ownerId, isTrashed }): Orphan => ({
      ...{ fileId: null, folderId, ownerId, sizeBytes: null, createdAt: null, isTrashed },
    }),
  );
  const last = folders.length > limit ? items.at(-1)?.folderId : undefined;
  return { items, next: last === undefined || last === null ? undefined : [last] };
};

const orphanedFiles = async (
  { views }: Pick<FileReading, 'views'>,
  { tenant, owners, access, after, limit }: OrphanRequest,
): Promise<Either<ViewFault, OrphanPage>> => {
  const rows = await views.page(filesView, tenant, {
    where: { ownerId: [...owners], isDeleted: false },
    order: [
      { field: 'createdAt', direction: 'desc' },
      { field: 'fileId', direction: 'desc' },
    ],
    ...(after.length === 0 ? {} : { after }),
    limit: limit + 1,
  });
  if (isLeft(rows)) return rows;
  const page = rows.right.slice(0, limit);
  // A row that is behind shows the owner before.
  const items = page.flatMap((row): readonly Orphan[] => {
    const { fileId, ownerId, hidden } = placedFile(access, row);
    if (!owners.has(ownerId) || hidden.includes('deleted')) return [];
    const { sizeBytes, createdAt } = row;
    return [{ fileId, folderId: null, ownerId, sizeBytes, createdAt, isTrashed: hidden.includes('trashed') }];
  });
  const last = rows.right.length > limit ? page.at(-1) : undefined;
  return right({ items, next: last === undefined ? undefined : [last.createdAt, last.fileId] });
};

export const listFileOrphans = route<FileReading>()({
  method: 'get',
  path: '/v1/file-orphans',
  operation: 'listFileOrphans',
  summary: 'List files and folders whose owner is gone',
  description:
    'Their owner is suspended or compromised: `changeFileOwner` and `changeFileFolderOwner` hand them over. `type` selects; `ownerId` lists those of one. By their ids: only principals with a role read names.',
  access: { scopes: ['files:admin'] },
  query: pageQuery('ListFileOrphansQuery', { type: oneOf('FileOrphanType', ['file', 'folder']), ownerId: PrincipalId }),
  headers: [minPosition],
  answers: pageAnswers('ListFileOrphansPage', Orphan),
  problems: readProblems,
  handle: async (reading, { query, identity, ...rest }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const { type = 'file', ownerId, limit = defaultLimit, cursor } = query;
    const scope = [tenant.right, 'listFileOrphans', { type, ownerId }];
    const read = cursor === undefined ? right([]) : reading.cursors.read(scope, cursor);
    if (isLeft(read)) return refuseCursor(read.left);
    const position = await visiblePosition(reading, rest);
    if (isLeft(position)) return position.left;
    const inactive = await inactivePrincipals(reading, tenant.right);
    if (isLeft(inactive)) return problemOf(inactive.left, {});
    const access = await readFileAccess(reading.source, tenant.right);
    if (isLeft(access)) return problemOf(access.left, {});
    const owners = new Set<string>(inactive.right.filter((one) => ownerId === undefined || one === ownerId));
    const request = { tenant: tenant.right, owners, access: access.right, after: read.right, limit };
    const page = type === 'folder' ? right(orphanedFolders(request)) : await orphanedFiles(reading, request);
    if (isLeft(page)) return problemOf(page.left, {});
    const { items, next } = page.right;
    const next_cursor = next === undefined ? null : reading.cursors.write(scope, next);
    return { status: 200, body: { items, next_cursor }, headers: positionHeader(position.right) };
  },
});
