/** GET /v1/file-folders and GET /v1/file-folders/:folderId: folders as the access stream has them, read to its end. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import {
  chainOf,
  type FileAccessState,
  type Folder,
  folderOf,
  isWithin,
  readableFolders,
  roleInFolder,
  roleInTrashedFolder,
} from '../../../domain/files/access/state';
import { FolderId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import { FileRole, isPermitted } from '../../../domain/files/roles';
import { Instant, listOf, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { entriesOf } from '../../../domain/kernel/persistent-map';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { invalidInput, type Problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { hasNamePart, NamePart } from '../../kernel/name-match';
import { pageByName } from '../../kernel/named-page';
import { pageAnswers, pageQuery } from '../../kernel/pagination';
import { minPosition } from '../../kernel/query-routes';
import { type Caller, type FileReading, readProblems, scopes, tenantOf } from '../file-reading';
import { AccessName, accessNamesOf, type NamedAccess, named, namesPosition } from './access-names';

const folderFields = {
  folderId: FolderId,
  name: AccessName,
  /** Null: at the top, or in a folder that the caller may not read. */
  parentFolderId: nullable(FolderId),
  ownerId: PrincipalId,
  /** Of the caller; in the trash, that which it has again after the restore. */
  role: FileRole,
  createdAt: nullable(Instant),
};
const FileFolder = record('FileFolder', folderFields, { trashedAt: nullable(Instant) });
type FileFolder = t.TypeOf<typeof FileFolder>;

const FolderStep = record('FileFolderStep', { folderId: FolderId, name: AccessName });
const FolderWithPath = record('FileFolderWithPath', {
  ...folderFields,
  /** The folders above, from the top, as far as the caller may read them. */
  path: listOf('FileFolderPath', FolderStep, fileLimits.folderDepth),
});

export const FolderPath = record('FolderPath', { folderId: FolderId });

interface ReadFolder {
  readonly folder: Folder;
  readonly role: FileRole;
  /** Null where the caller may not read it. */
  readonly parentFolderId: FolderId | null;
}

const readable = (access: FileAccessState, principalId: string): readonly ReadFolder[] => {
  const roles = readableFolders(access, principalId);
  return [...roles].flatMap(([folderId, role]) => {
    const folder = folderOf(access, folderId);
    if (folder === undefined) return [];
    const above = folder.parentFolderId;
    return { folder, role, parentFolderId: above !== null && roles.has(above) ? above : null };
  });
};

const restorable = (access: FileAccessState, principalId: string): readonly ReadFolder[] =>
  [...entriesOf(access.folders)].flatMap(([, folder]) => {
    const role =
      folder.isTrashed && !folder.isDeleted ? roleInTrashedFolder(access, principalId, folder.folderId) : undefined;
    if (role === undefined || !isPermitted(role, 'move')) return [];
    const above = folder.parentFolderId;
    const isSeen = above !== null && roleInFolder(access, principalId, above) !== undefined;
    return { folder, role, parentFolderId: isSeen ? above : null };
  });

const folderAnswer = (
  { folder, role, parentFolderId }: ReadFolder,
  known: NamedAccess | undefined,
): FileFolder & { readonly name: AccessName } => {
  const { folderId, ownerId } = folder;
  return { folderId, name: known?.name ?? null, parentFolderId, ownerId, role, createdAt: known?.createdAt ?? null };
};

const ListFoldersQuery = pageQuery('ListFileFoldersQuery', {
  parentFolderId: FolderId,
  /** Folders in none that the caller may read. */
  top: oneOf('FoldersAtTheTop', ['true']),
  trashed: oneOf('FoldersInTheTrash', ['true']),
  /** Folders in it, at any depth. */
  withinFolderId: FolderId,
  /** Somewhere in the name, in any case. */
  name: NamePart,
});
type ListFoldersQuery = t.TypeOf<typeof ListFoldersQuery>;

const conflicts = ({ parentFolderId, top, trashed, withinFolderId }: ListFoldersQuery): Problem | undefined => {
  if (withinFolderId !== undefined && (parentFolderId ?? top ?? trashed) !== undefined)
    return invalidInput([
      { pointer: '/query/withinFolderId', expected: 'omitted, with parentFolderId, top or trashed' },
    ]);
  if (parentFolderId !== undefined && top !== undefined)
    return invalidInput([{ pointer: '/query/top', expected: 'omitted, with parentFolderId' }]);
  return trashed !== undefined && (top ?? parentFolderId) !== undefined
    ? invalidInput([{ pointer: '/query/trashed', expected: 'omitted, with top or parentFolderId' }])
    : undefined;
};

const wantedFolders = (
  access: FileAccessState,
  principalId: string,
  { parentFolderId, top, trashed, withinFolderId }: ListFoldersQuery,
): readonly ReadFolder[] => {
  if (trashed !== undefined) return restorable(access, principalId);
  const all = readable(access, principalId);
  if (withinFolderId !== undefined)
    return all.filter(({ folder }) => isWithin(access, folder.parentFolderId, withinFolderId));
  if (top === undefined && parentFolderId === undefined) return all;
  return all.filter((one) => one.parentFolderId === (parentFolderId ?? null));
};

const list = async (
  reading: FileReading,
  { query, identity, ...request }: RouteRequest<unknown, ListFoldersQuery, unknown>,
): Promise<Answer> => {
  const refused = conflicts(query);
  if (refused !== undefined) return refused;
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  const position = await namesPosition(reading, request);
  if (isLeft(position)) return position.left;
  const access = await readFileAccess(reading.source, tenant.right);
  if (isLeft(access)) return problemOf(access.left, {});
  const { principalId } = identity;
  const folders = wantedFolders(access.right, principalId, query);
  const ids = folders.map(({ folder }) => folder.folderId);
  const names = named(await accessNamesOf(reading, tenant.right, 'folder', ids));
  if (isLeft(names)) return names.left;
  const items = folders.map((one) => {
    const known = names.right.get(one.folder.folderId);
    const answer = folderAnswer(one, known);
    const trashedAt = query.trashed === undefined ? {} : { trashedAt: known?.trashedAt ?? null };
    return { id: answer.folderId, name: answer.name, answer: { ...answer, ...trashedAt } };
  });
  const { limit, cursor, ...filters } = query;
  const isNamed = hasNamePart(filters.name);
  const nameOf = async (id: string): Promise<AccessName> => {
    const found = await accessNamesOf(reading, tenant.right, 'folder', [id]);
    return isLeft(found) ? null : (found.right.get(id)?.name ?? null);
  };
  const scope = [tenant.right, 'listFileFolders', principalId, filters];
  const page = await pageByName(
    items.filter(({ name }) => isNamed(name)),
    { limit, cursor },
    { cursors: reading.cursors, scope, nameOf },
  );
  if ('refused' in page) return page.refused;
  const { next_cursor } = page.page;
  const body = { items: page.page.items.map(({ answer }) => answer), next_cursor };
  return { status: 200, body, headers: positionHeader(position.right) };
};

export const listFileFolders = route<FileReading>()({
  method: 'get',
  path: '/v1/file-folders',
  operation: 'listFileFolders',
  summary: 'List folders that the caller may read, by name',
  description:
    '`parentFolderId` lists those directly in a folder. `top=true` lists those in no folder that the caller may read: own ones, and those shared by themselves. `withinFolderId` lists those in a folder at any depth; `name` finds what has these letters somewhere in its name. `trashed=true` lists those in the trash that the caller may restore. Without any, all that the caller may read.',
  access: { scopes },
  query: ListFoldersQuery,
  headers: [minPosition],
  answers: pageAnswers('ListFileFoldersPage', FileFolder),
  problems: readProblems,
  handle: list,
});

interface ReadableFolder {
  readonly tenant: TenantId;
  readonly access: FileAccessState;
  readonly folder: Folder;
  readonly role: FileRole;
}

const unknown: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'folder-unknown',
    detail: 'There is no such folder, or it is not shared with the caller.',
  },
  readProblems,
);

/** Without a role, the answer does not reveal whether the folder exists. */
export const requireReadableFolder = async (
  { source }: Pick<FileReading, 'source'>,
  caller: Caller,
  folderId: FolderId,
): Promise<Either<Problem, ReadableFolder>> => {
  const tenant = tenantOf(caller);
  if (isLeft(tenant)) return tenant;
  const access = await readFileAccess(source, tenant.right);
  if (isLeft(access)) return left(problemOf(access.left, {}));
  const role = roleInFolder(access.right, caller.principalId, folderId);
  const folder = folderOf(access.right, folderId);
  if (role === undefined || folder === undefined) return left(unknown);
  return right({ tenant: tenant.right, access: access.right, folder, role });
};

export const getFileFolder = route<FileReading>()({
  method: 'get',
  path: '/v1/file-folders/:folderId',
  operation: 'getFileFolder',
  summary: 'Get a folder with the folders above it',
  description: 'A folder that is not shared with the caller answers as one that never was.',
  access: { scopes },
  params: FolderPath,
  headers: [minPosition],
  answers: { 200: { description: 'The folder.', body: FolderWithPath, headers: ['Position'] } },
  problems: readProblems,
  handle: async (reading, { params: { folderId }, identity, ...request }) => {
    const found = await requireReadableFolder(reading, identity, folderId);
    if (isLeft(found)) return found.left;
    const position = await namesPosition(reading, request);
    if (isLeft(position)) return position.left;
    const { tenant, access, folder, role } = found.right;
    const chain = chainOf(access, folderId) ?? [];
    // A role in a folder counts for what is in it, so the nearest ones are readable.
    const above = chain
      .slice(1)
      .filter((one) => roleInFolder(access, identity.principalId, one.folderId) !== undefined);
    const ids = [folderId, ...above.map((one) => one.folderId)];
    const names = named(await accessNamesOf(reading, tenant, 'folder', ids));
    if (isLeft(names)) return names.left;
    const parentFolderId = above[0]?.folderId ?? null;
    const path = above
      .map((one) => ({ folderId: one.folderId, name: names.right.get(one.folderId)?.name ?? null }))
      .toReversed();
    const body = { ...folderAnswer({ folder, role, parentFolderId }, names.right.get(folderId)), path };
    return { status: 200, body, headers: positionHeader(position.right) };
  },
});
