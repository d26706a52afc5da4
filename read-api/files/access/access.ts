/** GET /v1/files/:fileId/access and GET /v1/file-folders/:folderId/access: grants, and who sees it by which of them. For callers that may read it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  type AccessLevel,
  type AccessReason,
  audienceOf,
  grantsOnLevels,
  type LevelGrant,
  levelsOfFile,
  levelsOfFolder,
} from '../../../domain/files/access/audience';
import { GrantPrincipalType, ResourceType } from '../../../domain/files/access/events';
import { type FileAccessState, roleInFolder } from '../../../domain/files/access/state';
import { FileGrantId, GroupId } from '../../../domain/files/ids';
import { FileRole, GrantedRole } from '../../../domain/files/roles';
import { listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import type { Problem } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { minPosition } from '../../kernel/query-routes';
import { FilePath, type FileReading, readProblems, requireReadableFile, scopes } from '../file-reading';
import { namesOf } from '../files';
import { AccessName, accessNamesOf, named, namesPosition, peopleNamesOf } from './access-names';
import { FolderPath, requireReadableFolder } from './folders';

const ResourceIdText = text('AccessOriginId', { maxLength: 128, examples: ['f0a1b2c3'] });

/** Id and name are null for a folder above that the caller may not read. */
const AccessOrigin = record('FileAccessOrigin', {
  type: ResourceType,
  id: nullable(ResourceIdText),
  name: nullable(text('FileAccessOriginName', { maxLength: 255, examples: ['Contracts'] })),
  isInherited: t.boolean,
});
type AccessOrigin = t.TypeOf<typeof AccessOrigin>;

const AccessGrant = record('FileAccessGrant', {
  grantId: FileGrantId,
  principalType: GrantPrincipalType,
  /** A principal's id, a group's, or the tenant's. */
  principalId: text('FileGranteeId', { maxLength: 128, examples: ['ada'] }),
  /** Of the person or the group. */
  name: AccessName,
  role: GrantedRole,
  from: AccessOrigin,
});

const Reason = record('FileAccessReason', {
  kind: oneOf('FileAccessReasonKind', ['owner', 'grant']),
  role: FileRole,
  /** By which group; null: by name, or as one of the tenant. */
  groupId: nullable(GroupId),
  groupName: AccessName,
  from: AccessOrigin,
});
const maxReasons = 100;
const Reasons = listOf('FileAccessReasons', Reason, maxReasons);

/** More are not listed: `isComplete` is false then. */
const maxAudience = 1_000;
const maxGrants = 2_000;

const AccessAnswer = record('FileAccess', {
  ownerId: PrincipalId,
  ownerName: AccessName,
  /** Of the caller. */
  role: FileRole,
  /** On it and on the folders above that the caller may read. */
  grants: listOf('FileAccessGrants', AccessGrant, maxGrants),
  /** Who sees it, with the highest role, and why. */
  principals: listOf(
    'FileAccessPrincipals',
    record('FileAccessPrincipal', { principalId: PrincipalId, name: AccessName, role: FileRole, reasons: Reasons }),
    maxAudience,
  ),
  /** What every principal of the tenant has; null: nothing. */
  everyone: nullable(record('FileAccessOfEveryone', { role: FileRole, reasons: Reasons })),
  isComplete: t.boolean,
});

interface ExplainedResource {
  readonly tenant: TenantId;
  readonly access: FileAccessState;
  readonly principalId: string;
  readonly role: FileRole;
  /** The first is the file or folder itself. */
  readonly levels: readonly [AccessLevel, ...AccessLevel[]];
}

type Names = ReadonlyMap<string, { readonly name: string | null }>;

interface AnswerNames {
  readonly folders: Names;
  readonly groups: Names;
  readonly people: ReadonlyMap<string, string | null>;
  readonly file: string | null;
}

const readNames = async (
  reading: FileReading,
  { tenant, levels }: ExplainedResource,
  wanted: { readonly groups: readonly string[]; readonly people: readonly string[] },
): Promise<Either<Problem, AnswerNames>> => {
  const folderIds = levels.flatMap(({ type, id }) => (type === 'folder' ? [id] : []));
  const fileIds = levels.flatMap((level) => (level.type === 'file' ? [level.id] : []));
  const [folders, groups, people, file] = await Promise.all([
    accessNamesOf(reading, tenant, 'folder', folderIds),
    accessNamesOf(reading, tenant, 'group', wanted.groups),
    peopleNamesOf(reading, tenant, wanted.people),
    namesOf(reading, tenant, fileIds),
  ]);
  for (const one of [folders, groups, file]) {
    const read = named<unknown>(one);
    if (isLeft(read)) return read;
  }
  const rightOr = <Value>(found: Either<unknown, Value>, otherwise: Value): Value =>
    isLeft(found) ? otherwise : found.right;
  return right({
    folders: rightOr<Names>(folders, new Map()),
    groups: rightOr<Names>(groups, new Map()),
    people,
    file: rightOr(file, [])[0] ?? null,
  });
};

const rank = { owner: 0, editor: 1, viewer: 2 } as const;

const answer = async (
  reading: FileReading,
  resource: ExplainedResource,
  request: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'signal'>,
): Promise<Answer> => {
  const position = await namesPosition(reading, request);
  if (isLeft(position)) return position.left;
  const { access, principalId, role, levels } = resource;
  const [first] = levels;
  const isSeen = (level: AccessLevel): boolean =>
    level === first || (level.type === 'folder' && roleInFolder(access, principalId, level.id) !== undefined);
  const grants = grantsOnLevels(access, levels.filter(isSeen)).slice(0, maxGrants);
  const audience = audienceOf(access, levels);
  const principals = [...audience.principals]
    .toSorted(([, one], [, other]) => rank[one.role] - rank[other.role])
    .slice(0, maxAudience);
  const reasonsOfAll = [...principals.map(([, one]) => one), ...(audience.everyone ? [audience.everyone] : [])].flatMap(
    ({ reasons }) => reasons,
  );
  const ofType = (type: LevelGrant['principalType']) =>
    grants.flatMap((grant) => (grant.principalType === type ? [grant.principalId] : []));
  const names = await readNames(reading, resource, {
    groups: [...new Set([...reasonsOfAll.flatMap(({ groupId }) => groupId ?? []), ...ofType('group')])],
    people: [...new Set([first.ownerId, ...principals.map(([id]) => id), ...ofType('user')])],
  });
  if (isLeft(names)) return names.left;
  const { folders, groups, people, file } = names.right;
  const originOf = (level: AccessLevel): AccessOrigin => {
    const isInherited = level !== first;
    if (!isSeen(level)) return { type: level.type, id: null, name: null, isInherited };
    const name = level.type === 'file' ? file : (folders.get(level.id)?.name ?? null);
    return { type: level.type, id: level.id, name, isInherited };
  };
  const reasonOf = ({ role: given, level, grantId, groupId }: AccessReason) => ({
    kind: grantId === null ? ('owner' as const) : ('grant' as const),
    ...{ role: given, groupId },
    groupName: groupId === null ? null : (groups.get(groupId)?.name ?? null),
    from: originOf(level),
  });
  const reasonsOf = (reasons: readonly AccessReason[]) => reasons.slice(0, maxReasons).map(reasonOf);
  const granteeName = ({ principalType, principalId: id }: LevelGrant): string | null => {
    if (principalType === 'tenant') return null;
    return (principalType === 'group' ? groups.get(id)?.name : people.get(id)) ?? null;
  };
  const { everyone } = audience;
  const body: t.TypeOf<typeof AccessAnswer> = {
    ownerId: first.ownerId,
    ownerName: people.get(first.ownerId) ?? null,
    role,
    grants: grants.map((grant) => ({
      ...{ grantId: grant.grantId, principalType: grant.principalType, principalId: grant.principalId },
      ...{ name: granteeName(grant), role: grant.role, from: originOf(grant.level) },
    })),
    principals: principals.map(([id, one]) => ({
      ...{ principalId: id as PrincipalId, name: people.get(id) ?? null, role: one.role },
      reasons: reasonsOf(one.reasons),
    })),
    everyone: everyone === undefined ? null : { role: everyone.role, reasons: reasonsOf(everyone.reasons) },
    isComplete: principals.length === audience.principals.size,
  };
  return { status: 200, body, headers: positionHeader(position.right) };
};

const common = {
  method: 'get',
  access: { scopes },
  headers: [minPosition],
  answers: { 200: { description: 'Grants and who sees it.', body: AccessAnswer, headers: ['Position'] } },
  problems: readProblems,
} as const;

const description = `\`grants\` are those on it and on the folders above that the caller may read; \`principals\` are all who see it, up to ${maxAudience}, each with the highest role and its reasons.`;

export const getFileAccess = route<FileReading>()({
  ...common,
  path: '/v1/files/:fileId/access',
  operation: 'getFileAccess',
  summary: 'Get who sees a file, and why',
  description,
  params: FilePath,
  handle: async (reading, { params: { fileId }, identity, ...request }) => {
    const found = await requireReadableFile(reading, identity, fileId);
    if (isLeft(found)) return found.left;
    const { tenant, access, role, file } = found.right;
    const { principalId } = identity;
    return answer(reading, { tenant, access, principalId, role, levels: levelsOfFile(access, file) }, request);
  },
});

export const getFileFolderAccess = route<FileReading>()({
  ...common,
  path: '/v1/file-folders/:folderId/access',
  operation: 'getFileFolderAccess',
  summary: 'Get who sees a folder, and why',
  description,
  params: FolderPath,
  handle: async (reading, { params: { folderId }, identity, ...request }) => {
    const found = await requireReadableFolder(reading, identity, folderId);
    if (isLeft(found)) return found.left;
    const { tenant, access, role } = found.right;
    const [first, ...above] = levelsOfFolder(access, folderId);
    if (first === undefined) throw new Error('A readable folder is the first of its levels.');
    const { principalId } = identity;
    return answer(reading, { tenant, access, principalId, role, levels: [first, ...above] }, request);
  },
});
