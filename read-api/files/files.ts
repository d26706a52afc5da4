/** GET /v1/files and GET /v1/files/:fileId: files that the caller may see, with the specification's fields and more. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type FileAccessState, placedFile, roleInFile } from '../../domain/files/access/state';
import { Modality } from '../../domain/files/content/element';
import type { FileFormat } from '../../domain/files/content/read-result';
import { type FileId, FolderId } from '../../domain/files/ids';
import { FileStatus } from '../../domain/files/pipeline';
import { FileRole } from '../../domain/files/roles';
import { integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { PageRequest, ViewFault } from '../../infra/ports/views/view-store';
import { readFileAccess } from '../../infra/server/files/file-access';
import { invalidInput, type Problem, problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { FileRow, filesView } from '../../projections/files/files/view';
import { fileNamesView } from '../../projections/files/names/view';
import { definedFields } from '../kernel/defined-fields';
import { defaultLimit, pageAnswers, pageQuery, refuseCursor } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { answerFields } from '../kernel/row-answer';
import { waitDeadline } from '../kernel/row-queries';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes, tenantOf } from './file-reading';

const rowFields = answerFields(FileRow);

const FileItem = record(
  'FileItem',
  {
    fileId: rowFields.fileId,
    /** Null: the key of the file is gone. */
    filename: nullable(text('ShownFilename', { maxLength: 255, examples: ['Lease 2026.pdf'] })),
    mimeType: rowFields.mimeType,
    status: rowFields.status,
    /** By the content; empty until the type was detected. */
    supportedModalities: listOf('SupportedModalities', Modality, 6),
    createdAt: rowFields.createdAt,
    updatedAt: rowFields.updatedAt,
    ownerId: rowFields.ownerId,
    parentFolderId: rowFields.folderId,
    /** Of the caller. */
    role: FileRole,
    /** The version that answers; null until one does. */
    currentVersionId: rowFields.currentVersionId,
    versionNumber: rowFields.versionNumber,
    sizeBytes: rowFields.sizeBytes,
    errorCode: rowFields.errorCode,
    /** Why it failed or waits, in a sentence. */
    errorDetail: rowFields.errorDetail,
  },
  { progressPercent: integer(0, 100) },
);
type FileItem = t.TypeOf<typeof FileItem>;

const modalitiesOf: { readonly [format in FileFormat]: readonly Modality[] } = {
  pdf: ['text'],
  docx: ['text', 'table'],
  pptx: ['text', 'table'],
  xlsx: ['table'],
  csv: ['table'],
  markdown: ['text', 'table', 'code'],
  html: ['text', 'table'],
  text: ['text'],
  code: ['code'],
  image: ['image'],
  audio: ['audio'],
  video: ['video'],
};

interface SeenFile {
  readonly row: FileRow;
  readonly role: FileRole;
}

/** Undefined: the caller may not see it, whatever the view has. */
const seenBy = (access: FileAccessState, principalId: string, row: FileRow): SeenFile | undefined => {
  const role = roleInFile(access, principalId, row);
  // A row that is behind shows where the file lay.
  return role === undefined ? undefined : { row: { ...row, ...placedFile(access, row) }, role };
};

const itemOf = ({ row, role }: SeenFile, filename: string | null): FileItem => {
  const { fileId, mimeType, status, format, createdAt, updatedAt, ownerId, folderId, progressPercent } = row;
  const { currentVersionId, versionNumber, sizeBytes, errorCode, errorDetail } = row;
  return {
    ...{ fileId, filename, mimeType, status, createdAt, updatedAt, ownerId, parentFolderId: folderId, role },
    supportedModalities: format === null ? [] : modalitiesOf[format],
    ...{ currentVersionId, versionNumber, sizeBytes, errorCode, errorDetail },
    ...(progressPercent === null ? {} : { progressPercent }),
  };
};

/** In the order of the files; null where the name is gone or not there yet. */
export const namesOf = async (
  { views }: Pick<FileReading, 'views'>,
  tenant: TenantId,
  fileIds: readonly FileId[],
): Promise<Either<ViewFault, readonly (string | null)[]>> => {
  if (fileIds.length === 0) return right([]);
  const rows = await views.findMany(
    fileNamesView,
    tenant,
    fileIds.map((fileId) => ({ fileId })),
  );
  return isLeft(rows) ? rows : right(rows.right.map((row) => row?.name ?? null));
};

const withNames = async (
  reading: FileReading,
  tenant: TenantId,
  files: readonly SeenFile[],
): Promise<Either<Problem, readonly FileItem[]>> => {
  const names = await namesOf(
    reading,
    tenant,
    files.map(({ row }) => row.fileId),
  );
  if (isLeft(names)) return left(problemOf(names.left, {}));
  return right(files.map((file, at) => itemOf(file, names.right[at] ?? null)));
};

type AnyRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'signal'>;

/** Both views are at the caller's position; the answer is of the earlier one. */
const visiblePosition = async (
  { positions }: FileReading,
  { headers, signal }: AnyRequest,
): Promise<Either<Problem, bigint | null>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const { position } = floor.right;
  const until = waitDeadline(signal, floor.right);
  const reached = await Promise.all(
    [filesView, fileNamesView].map((view) => waitUntilVisible(positions, { view, position, signal: until })),
  );
  let earliest: bigint | null | undefined;
  for (const one of reached) {
    if (isLeft(one)) return one;
    const isEarlier = earliest === undefined || one.right === null || (earliest !== null && one.right < earliest);
    if (isEarlier) earliest = one.right;
  }
  return right(earliest ?? null);
};

const ListFilesQuery = pageQuery('ListFilesQuery', {
  folderId: FolderId,
  /** Files in no folder. */
  top: oneOf('AtTheTop', ['true']),
  status: FileStatus,
  ownership: oneOf('FileOwnership', ['own', 'shared']),
});
type ListFilesQuery = t.TypeOf<typeof ListFilesQuery>;

const order: PageRequest<FileRow>['order'] = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'fileId', direction: 'desc' },
];

/** Rows are filtered by labels, and then one by one; a page that is mostly filtered away ends early, with a cursor. */
const maxRounds = 10;

interface SeenPage {
  readonly files: readonly SeenFile[];
  readonly next: FileRow | undefined;
}

const pageOfFiles = async (
  { views }: FileReading,
  {
    tenant,
    where,
    after,
    limit,
    toSeenFile,
  }: {
    readonly tenant: TenantId;
    readonly where: PageRequest<FileRow>['where'];
    readonly after: PageRequest<FileRow>['after'];
    readonly limit: number;
    readonly toSeenFile: (row: FileRow) => SeenFile | undefined;
  },
): Promise<Either<ViewFault, SeenPage>> => {
  const files: SeenFile[] = [];
  let from = after;
  for (let round = 1; ; round += 1) {
    const begin = from === undefined ? {} : { after: from };
    const rows = await views.page(filesView, tenant, { where, order, ...begin, limit: limit + 1 });
    if (isLeft(rows)) return rows;
    for (const [at, row] of rows.right.entries()) {
      const file = toSeenFile(row);
      if (file !== undefined) files.push(file);
      const isLast = at === rows.right.length - 1 && rows.right.length <= limit;
      if (files.length === limit) return right({ files, next: isLast ? undefined : row });
    }
    const last = rows.right.at(-1);
    if (rows.right.length <= limit) return right({ files, next: undefined });
    if (round === maxRounds) return right({ files, next: last });
    from = last === undefined ? undefined : [last.createdAt, last.fileId];
  }
};

const conflicts = ({ folderId, top }: ListFilesQuery): Problem | undefined =>
  folderId !== undefined && top !== undefined
    ? invalidInput([{ pointer: '/query/top', expected: 'omitted, with folderId' }])
    : undefined;

const list = async (
  reading: FileReading,
  { query, identity, ...request }: RouteRequest<unknown, ListFilesQuery, unknown>,
): Promise<Answer> => {
  const refused = conflicts(query);
  if (refused !== undefined) return refused;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  const { folderId, top, status, ownership, limit = defaultLimit, cursor } = query;
  const { principalId } = identity;
  const scope = [tenant.right, 'listFiles', principalId, { folderId, top, status, ownership }];
  const after = cursor === undefined ? right(undefined) : reading.cursors.read(scope, cursor);
  if (isLeft(after)) return refuseCursor(after.left);
  const position = await visiblePosition(reading, request);
  if (isLeft(position)) return position.left;
  const access = await readFileAccess(reading.source, tenant.right);
  if (isLeft(access)) return problemOf(access.left, {});
  const wanted = definedFields({ folderId, status, ownerId: ownership === 'own' ? principalId : undefined });
  const page = await pageOfFiles(reading, {
    tenant: tenant.right,
    where: {
      ...wanted,
      ...(top === undefined ? {} : { folderId: null }),
      aclPrincipals: reading.labelsOf(access.right, principalId),
      isDeleted: false,
    },
    after: after.right,
    limit,
    toSeenFile: (row) => {
      const file = seenBy(access.right, principalId, row);
      const isOwn = file?.row.ownerId === principalId;
      return ownership === undefined || isOwn === (ownership === 'own') ? file : undefined;
    },
  });
  if (isLeft(page)) return problemOf(page.left, {});
  const items = await withNames(reading, tenant.right, page.right.files);
  if (isLeft(items)) return items.left;
  const { next } = page.right;
  const next_cursor = next === undefined ? null : reading.cursors.write(scope, [next.createdAt, next.fileId]);
  return { status: 200, body: { items: items.right, next_cursor }, headers: positionHeader(position.right) };
};

export const listFiles = route<FileReading>()({
  method: 'get',
  path: '/v1/files',
  operation: 'listFiles',
  summary: 'List files that the caller may see, the newest first',
  description:
    'Own files, and those that are shared with the caller, by themselves or by a folder above: `ownership` selects. `folderId` lists what lies directly in a folder, `top=true` what lies in none. `status` is of the version that answers or, until one does, of the newest. A page may be short although there is a next one.',
  access: { scopes },
  query: ListFilesQuery,
  headers: [minPosition],
  answers: pageAnswers('ListFilesPage', FileItem),
  problems: readProblems,
  handle: list,
});

export const getFile = route<FileReading>()({
  method: 'get',
  path: '/v1/files/:fileId',
  operation: 'getFile',
  summary: 'Get a file',
  description: 'A file that is not shared with the caller answers as one that never was.',
  access: { scopes },
  params: FilePath,
  headers: [minPosition],
  answers: { 200: { description: 'The file.', body: FileItem, headers: ['Position'] } },
  problems: readProblems,
  handle: async (reading, { params: { fileId }, identity, ...request }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const position = await visiblePosition(reading, request);
    if (isLeft(position)) return position.left;
    const { tenant, access } = found.right;
    const row = await reading.views.find(filesView, tenant, { fileId });
    if (isLeft(row)) return problemOf(row.left, {});
    const file = row.right === undefined ? undefined : seenBy(access, identity.principalId, row.right);
    if (file === undefined) return problem('not-yet-visible', 'The file was just created; try again.');
    const items = await withNames(reading, tenant, [file]);
    if (isLeft(items)) return items.left;
    return { status: 200, body: items.right[0], headers: positionHeader(position.right) };
  },
});
