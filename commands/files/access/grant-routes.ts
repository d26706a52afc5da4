/** Routes of grants: files and folders are shared with users, groups and the whole tenant. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { SharedResource } from '../../../domain/files/access/commands';
import { GrantPrincipalType } from '../../../domain/files/access/events';
import { FileGrantId, FileId, FolderId } from '../../../domain/files/ids';
import { GrantedRole } from '../../../domain/files/roles';
import { record, text } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { invalidInput, type Problem } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import {
  accessRouteDefaults,
  accessSubject,
  FilePath,
  FolderPath,
  fileSubject,
  GrantAnswer,
  streamSourceOf,
} from './access-route';
import { requireActivePrincipal } from './principals';

const NewGrant = record('NewFileGrant', {
  principalType: GrantPrincipalType,
  /** A principal's id, a group's, or the tenant's. */
  principalId: text('GranteeId', { maxLength: 128, pattern: '[A-Za-z0-9][A-Za-z0-9_-]*', examples: ['ada'] }),
  role: GrantedRole,
});

/** The access stream knows its groups; people are of another. */
const refuseGrantee = async (
  deps: CommandDeps,
  { principalType, principalId }: t.TypeOf<typeof NewGrant>,
  tenantId: TenantId,
): Promise<Either<Problem, undefined>> => {
  const pointer = '/body/principalId';
  switch (principalType) {
    case 'user':
      return requireActivePrincipal(streamSourceOf(deps), { tenantId, principalId, pointer });
    case 'group':
      return right(undefined);
    case 'tenant':
      return principalId === tenantId
        ? right(undefined)
        : left(invalidInput([{ pointer, expected: 'the id of the caller’s tenant' }]));
  }
};

const description =
  'Viewers search and read, editors also change and share. A role in a folder counts for everything in it. A principal has one grant on a file or folder: another role takes its place. Whoever it is shared with must be an active principal of the tenant.';

export const grantFile = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/v1/files/:fileId/grants',
  operation: 'grantFile',
  summary: 'Share a file',
  description,
  created: true,
  params: FilePath,
  body: NewGrant,
  answer: GrantAnswer,
  prepare: async ({ params: { fileId }, body, derivedId, ...request }, deps) => {
    const refused = await refuseGrantee(deps, body, request.tenantId);
    if (isLeft(refused)) return refused;
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by, file } = subject.right;
    const grantId = derivedId('grant') as FileGrantId;
    const resource: SharedResource = { type: 'file', file };
    return right({
      stream,
      command: { type: 'AddGrant' as const, by, grantId, resource, ...body },
      answer: { grantId },
    });
  },
});

export const grantFolder = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/v1/file-folders/:folderId/grants',
  operation: 'grantFileFolder',
  summary: 'Share a folder with everything in it',
  description,
  created: true,
  params: FolderPath,
  body: NewGrant,
  answer: GrantAnswer,
  prepare: async ({ params: { folderId }, body, derivedId, ...request }, deps) => {
    const refused = await refuseGrantee(deps, body, request.tenantId);
    if (isLeft(refused)) return refused;
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const grantId = derivedId('grant') as FileGrantId;
    const resource: SharedResource = { type: 'folder', folderId };
    return right({
      stream,
      command: { type: 'AddGrant' as const, by, grantId, resource, ...body },
      answer: { grantId },
    });
  },
});

const revoked =
  'Whoever had access by it alone has none once this is answered. Principals may revoke grants that they have themselves.';

export const revokeFileGrant = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/v1/files/:fileId/grants/:grantId',
  operation: 'revokeFileGrant',
  summary: 'Revoke a grant of a file',
  description: revoked,
  params: record('FileGrantPath', { fileId: FileId, grantId: FileGrantId }),
  answer: GrantAnswer,
  prepare: async ({ params: { fileId, grantId }, ...request }, deps) => {
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by, file } = subject.right;
    const resource: SharedResource = { type: 'file', file };
    return right({ stream, command: { type: 'RevokeGrant' as const, by, grantId, resource }, answer: { grantId } });
  },
});

export const revokeFolderGrant = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/v1/file-folders/:folderId/grants/:grantId',
  operation: 'revokeFileFolderGrant',
  summary: 'Revoke a grant of a folder',
  description: revoked,
  params: record('FolderGrantPath', { folderId: FolderId, grantId: FileGrantId }),
  answer: GrantAnswer,
  prepare: ({ params: { folderId, grantId }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const resource: SharedResource = { type: 'folder', folderId };
    return right({ stream, command: { type: 'RevokeGrant' as const, by, grantId, resource }, answer: { grantId } });
  },
});
