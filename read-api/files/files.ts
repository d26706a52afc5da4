/** GET /v1/files and GET /v1/files/:fileId: files that the caller may see, with the specification's fields and more. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { HiddenReason } from '../../domain/files/access/events';
import {
  type FileAccessState,
  holdOn,
  isWithin,
  placedFile,
  roleInFile,
  roleInHiddenFile,
} from '../../domain/files/access/state';
import { Modality } from '../../domain/files/content/element';
import type { FileFormat } from '../../domain/files/content/read-result';
import { type FileId, FolderId } from '../../domain/files/ids';
import { FileStatus } from '../../domain/files/pipeline';
import { FileRole, isPermitted } from '../../domain/files/roles';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { entriesOf } from '../../domain/kernel/persistent-map';
import type { PageRequest, Scalar, ViewFault } from '../../infra/ports/views/view-store';
import { readFileAccess } from '../../infra/server/files/file-access';
import { invalidInput, type Problem, problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { FileRow, filesView } from '../../projections/files/files/view';
import { fileNamesView } from '../../projections/files/names/view';
import { definedFields } from '../kernel/defined-fields';
import { hasNamePart, NamePart } from '../kernel/name-match';
import { itemsAfter } from '../kernel/named-page';
import { defaultLimit, pageAnswers, pageQuery, refuseCursor } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { answerFields } from '../kernel/row-answer';
import { waitDeadline } from '../kernel/row-queries';
import { named } from './access/access-names';
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
    /** Under a legal hold: it cannot be deleted for ever. */
    isHeld: t.boolean,
    /** The version that answers; null until one does. */
    currentVersionId: rowFields.currentVersionId,
    versionNumber: rowFields.versionNumber,
    sizeBytes: rowFields.sizeBytes,
    errorCode: rowFields.errorCode,
    /** Why it failed or waits, in a sentence. */
    errorDetail: rowFields.errorDetail,
  },
  {
    progressPercent: integer(0, 100),
    /** In the list of the trash alone. */
    trashedAt: nullable(Instant),
  },
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
  readonly isHeld: boolean;
}

// A row that is behind shows where the file lay.
const seenFile = (access: FileAccessState, row: FileRow, role: FileRole): SeenFile => ({
  ...{ row: { ...row, ...placedFile(access, row) }, role },
  isHeld: holdOn(access, row.fileId) !== undefined,
});

/** Undefined: the caller may not see it, whatever the view has. */
const seenBy = (access: FileAccessState, principalId: string, row: FileRow): SeenFile | undefined => {
  const role = roleInFile(access, principalId, row);
  return role === undefined ? undefined : seenFile(access, row, role);
};

/** Files of which nothing else is to be restored, by callers that may do it. */
const restorableBy = (access: FileAccessState, principalId: string, row: FileRow): SeenFile | undefined => {
  const role = isTrashed(placedFile(access, row).hidden) ? roleInHiddenFile(access, principalId, row) : undefined;
  return role === undefined || !isPermitted(role, 'move') ? undefined : seenFile(access, row, role);
};

const isTrashed = (hidden: readonly HiddenReason[]): boolean => hidden.length === 1 && hidden[0] === 'trashed';

const trashedIds = (access: FileAccessState): readonly FileId[] =>
  [...entriesOf(access.files)].flatMap(([fileId, { hidden }]) => (isTrashed(hidden) ? [fileId as FileId] : []));

const itemOf = ({ row, role, isHeld }: SeenFile, filename: string | null): FileItem => {
  const { fileId, mimeType, status, format, createdAt, updatedAt, ownerId, folderId, progressPercent } = row;
  const { currentVersionId, versionNumber, sizeBytes, errorCode, errorDetail } = row;
  return {
    ...{ fileId, filename, mimeType, status, createdAt, updatedAt, ownerId, parentFolderId: folderId, role, isHeld },
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
export const visiblePosition = async (
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

const FileSort = oneOf('FileSort', ['created', 'name', 'changed', 'size']);
type FileSort = t.TypeOf<typeof FileSort>;
const SortDirection = oneOf('FileSortDirection', ['asc', 'desc']);
type SortDirection = t.TypeOf<typeof SortDirection>;

const ListFilesQuery = pageQuery('ListFilesQuery', {
  folderId: FolderId,
  /** Files in no folder. */
  top: oneOf('AtTheTop', ['true']),
  /** Files in the folder and in all folders in it. */
  withinFolderId: FolderId,
  status: FileStatus,
  ownership: oneOf('FileOwnership', ['own', 'shared']),
  trashed: oneOf('FilesInTheTrash', ['true']),
  /** Somewhere in the name, in any case. */
  name: NamePart,
  sort: FileSort,
  direction: SortDirection,
});
type ListFilesQuery = t.TypeOf<typeof ListFilesQuery>;

const sortFields = { created: 'createdAt', changed: 'updatedAt', size: 'sizeBytes' } as const;

/** In the view; by name the rows are sorted here. */
const orderOf = (sort: Exclude<FileSort, 'name'>, direction: SortDirection): PageRequest<FileRow>['order'] => [
  { field: sortFields[sort], direction },
  { field: 'fileId', direction },
];

/** Rows are filtered by labels, and then one by one; a page that is mostly filtered away ends early, with a cursor. */
const maxRounds = 10;
/** Of a search by name, which most rows do not pass. */
const searchedRows = 500;
/** Of `findMany`. */
const namesAtOnce = 1_000;
/** Sorted by name in memory; a tenant has more, but few people see more of one folder. */
const maxSortedByName = 10_000;

interface NamedFile {
  readonly file: SeenFile;
  readonly name: string | null;
}

interface SeenPage {
  readonly files: readonly NamedFile[];
  readonly next: readonly Scalar[] | undefined;
}

interface FilesRequest {
  readonly tenant: TenantId;
  readonly where: PageRequest<FileRow>['where'];
  readonly limit: number;
  readonly toSeenFile: (row: FileRow) => SeenFile | undefined;
  readonly isNamed: (name: string | null) => boolean;
}

const seenAndNamed = async (
  reading: FileReading,
  { tenant, toSeenFile, isNamed }: FilesRequest,
  rows: readonly FileRow[],
): Promise<Either<ViewFault, readonly NamedFile[]>> => {
  const seen = rows.flatMap((row) => toSeenFile(row) ?? []);
  const found: NamedFile[] = [];
  for (let from = 0; from < seen.length; from += namesAtOnce) {
    const some = seen.slice(from, from + namesAtOnce);
    const names = await namesOf(
      reading,
      tenant,
      some.map(({ row }) => row.fileId),
    );
    if (isLeft(names)) return names;
    for (const [at, file] of some.entries()) found.push({ file, name: names.right[at] ?? null });
  }
  return right(found.filter(({ name }) => isNamed(name)));
};

const pageOfFiles = async (
  reading: FileReading,
  {
    order,
    after,
    batch,
    ...request
  }: FilesRequest & {
    readonly order: PageRequest<FileRow>['order'];
    readonly after: readonly Scalar[] | undefined;
    /** Rows of one round. */
    readonly batch: number;
  },
): Promise<Either<ViewFault, SeenPage>> => {
  const { tenant, where, limit } = request;
  const placeOf = ({ file: { row } }: Pick<NamedFile, 'file'>) => placeOfRow(row);
  const placeOfRow = (row: FileRow): readonly Scalar[] => order.map(({ field }) => row[field] as Scalar);
  const files: NamedFile[] = [];
  let from = after;
  for (let round = 1; ; round += 1) {
    const begin = from === undefined ? {} : { after: from };
    const rows = await reading.views.page(filesView, tenant, { where, order, ...begin, limit: batch });
    if (isLeft(rows)) return rows;
    const found = await seenAndNamed(reading, request, rows.right);
    if (isLeft(found)) return found;
    files.push(...found.right);
    const isLast = rows.right.length < batch;
    const [page, end] = [files.slice(0, limit), files[limit - 1]];
    if (end !== undefined && (files.length > limit || !isLast)) return right({ files: page, next: placeOf(end) });
    if (isLast) return right({ files: page, next: undefined });
    const last = rows.right.at(-1);
    from = last === undefined ? undefined : placeOfRow(last);
    if (round === maxRounds) return right({ files, next: from });
  }
};

const tooManyToSort = (): Problem =>
  invalidInput([
    {
      pointer: '/query/sort',
      expected: `changed, created or size, or filters: at most ${maxSortedByName} files are sorted by name`,
    },
  ]);

/** The cursor has ids alone: addresses with names would end in logs. */
const pageByFileName = async (
  reading: FileReading,
  {
    after,
    direction,
    ...request
  }: FilesRequest & { readonly after: readonly Scalar[] | undefined; readonly direction: SortDirection },
): Promise<Either<Problem, SeenPage>> => {
  const { tenant, where, limit } = request;
  const order = orderOf('created', 'desc');
  const rows = await reading.views.page(filesView, tenant, { where, order, limit: maxSortedByName + 1 });
  if (isLeft(rows)) return named(rows);
  if (rows.right.length > maxSortedByName) return left(tooManyToSort());
  const found = await seenAndNamed(reading, request, rows.right);
  if (isLeft(found)) return named(found);
  const [lastId] = (after ?? []) as readonly FileId[];
  const lastName = lastId === undefined ? right([]) : await namesOf(reading, tenant, [lastId]);
  if (isLeft(lastName)) return named(lastName);
  const all = found.right.map((one) => ({ id: one.file.row.fileId, ...one }));
  const last = lastId === undefined ? undefined : { id: lastId, name: lastName.right[0] ?? null };
  const { items, end } = itemsAfter(all, { last, limit, isDescending: direction === 'desc' });
  return right({ files: items, next: end === undefined ? undefined : [end.id] });
};

const conflicts = ({ folderId, top, withinFolderId }: ListFilesQuery): Problem | undefined => {
  if (folderId !== undefined && top !== undefined)
    return invalidInput([{ pointer: '/query/top', expected: 'omitted, with folderId' }]);
  return withinFolderId !== undefined && (folderId ?? top) !== undefined
    ? invalidInput([{ pointer: '/query/withinFolderId', expected: 'omitted, with folderId or top' }])
    : undefined;
};

/** A role in a folder counts for the folders in it, so that the caller may read them all. */
const foldersWithin = (access: FileAccessState, folderId: FolderId): readonly FolderId[] =>
  [...entriesOf(access.folders)].flatMap(([, one]) => (isWithin(access, one.folderId, folderId) ? [one.folderId] : []));

const list = async (
  reading: FileReading,
  { query, identity, ...request }: RouteRequest<unknown, ListFilesQuery, unknown>,
): Promise<Answer> => {
  const refused = conflicts(query);
  if (refused !== undefined) return refused;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  const { limit = defaultLimit, cursor, ...filters } = query;
  const { folderId, top, withinFolderId, status, ownership, trashed, name, sort = 'created' } = filters;
  const { direction = sort === 'name' ? 'asc' : 'desc' } = filters;
  const { principalId } = identity;
  // What a cursor is good for is signed with it; texts that were typed are not in it.
  const scope = [tenant.right, 'listFiles', principalId, filters];
  const after = cursor === undefined ? right(undefined) : reading.cursors.read(scope, cursor);
  if (isLeft(after)) return refuseCursor(after.left);
  const position = await visiblePosition(reading, request);
  if (isLeft(position)) return position.left;
  const access = await readFileAccess(reading.source, tenant.right);
  if (isLeft(access)) return problemOf(access.left, {});
  const folders = withinFolderId === undefined ? folderId : foldersWithin(access.right, withinFolderId);
  const wanted = definedFields({
    ...{ folderId: folders, status, ownerId: ownership === 'own' ? principalId : undefined },
    fileId: trashed === undefined ? undefined : trashedIds(access.right),
  });
  const seen = trashed === undefined ? seenBy : restorableBy;
  const files: FilesRequest = {
    tenant: tenant.right,
    where: {
      ...wanted,
      ...(top === undefined ? {} : { folderId: null }),
      aclPrincipals: reading.labelsOf(access.right, principalId),
      isDeleted: false,
    },
    limit,
    toSeenFile: (row) => {
      const file = seen(access.right, principalId, row);
      const isOwn = file?.row.ownerId === principalId;
      return ownership === undefined || isOwn === (ownership === 'own') ? file : undefined;
    },
    isNamed: hasNamePart(name),
  };
  const page =
    sort === 'name'
      ? await pageByFileName(reading, { ...files, after: after.right, direction })
      : named(
          await pageOfFiles(reading, {
            ...{ ...files, after: after.right, order: orderOf(sort, direction) },
            batch: name === undefined ? limit + 1 : searchedRows,
          }),
        );
  if (isLeft(page)) return page.left;
  const items = page.right.files.map(({ file, name: filename }) => {
    const item = itemOf(file, filename);
    return trashed === undefined ? item : { ...item, trashedAt: file.row.trashedAt };
  });
  const { next } = page.right;
  const next_cursor = next === undefined ? null : reading.cursors.write(scope, next);
  return { status: 200, body: { items, next_cursor }, headers: positionHeader(position.right) };
};

export const listFiles = route<FileReading>()({
  method: 'get',
  path: '/v1/files',
  operation: 'listFiles',
  summary: 'List files that the caller may see',
  description:
    'Own files, and those that are shared with the caller, by themselves or by a folder above: `ownership` selects. `folderId` lists what lies directly in a folder, `top=true` what lies in none, `trashed=true` what lies in the trash and the caller may restore, with `trashedAt`. `withinFolderId` lists what lies in a folder and all folders in it; `name` finds what has these letters somewhere in its name. The newest come first, unless `sort` says otherwise: by `name` at most 10,000 files, which filters may have to bring about. `status` is of the version that answers or, until one does, of the newest. A page may be short although there is a next one.',
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
