/** Routes of a file's name and place: rename, move, hand over, to the trash and back, delete. */
import { isLeft, left, right } from 'fp-ts/Either';
import { placedFile } from '../../../domain/files/access/state';
import { deletion } from '../../../domain/files/deletion/decider';
import { deletionStream } from '../../../domain/files/deletion/events';
import { file as fileRules } from '../../../domain/files/file/decider';
import { FileName, fileStream } from '../../../domain/files/file/events';
import { FileId, FolderId } from '../../../domain/files/ids';
import { nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { requireFile } from '../../../infra/server/files/file-access';
import { problemOf } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { loadStream } from '../../kernel/load-stream';
import { fileSourceOf } from '../file-source';
import { fileProblems } from '../problems';
import { accessRouteDefaults, FileAnswer, FilePath, fileSubject, streamSourceOf } from './access-route';
import { inactiveOwner, requireActivePrincipal } from './principals';

export const renameFile = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/files/:fileId/name',
  operation: 'renameFile',
  summary: 'Rename a file',
  scopes: ['files:write'],
  sensitive: false,
  params: FilePath,
  body: record('NewFileName', { filename: FileName }),
  answer: FileAnswer,
  decider: fileRules,
  problems: fileProblems,
  prepare: async ({ params: { fileId }, body: { filename: name }, tenantId: tenant, identity }, deps) => {
    const { principalId } = identity;
    const found = await requireFile(fileSourceOf(deps), { tenant, fileId, principalId, act: 'write' });
    if (isLeft(found)) return left(problemOf(found.left, fileProblems));
    return right({
      stream: fileStream(tenant, fileId),
      command: { type: 'RenameFile' as const, fileId, name },
      answer: { fileId },
    });
  },
});

export const moveFile = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/files/:fileId/folder',
  operation: 'moveFile',
  summary: 'Move a file to another folder',
  description:
    'Roles in the folder before no longer count, those in the new one do, with the answer. Null: to the top.',
  params: FilePath,
  body: record('NewFileFolder', { folderId: nullable(FolderId) }),
  answer: FileAnswer,
  prepare: async ({ params: { fileId }, body: { folderId }, ...request }, deps) => {
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by, file } = subject.right;
    return right({ stream, command: { type: 'MoveFile' as const, by, file, folderId }, answer: { fileId } });
  },
});

export const changeFileOwner = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/files/:fileId/owner',
  operation: 'changeFileOwner',
  summary: 'Hand a file over to another owner',
  description:
    'By its owner, who then has access by grants only. With `files:admin`, also of a file whose owner is not an active principal, also where it is not shared with the caller. The new owner must be an active principal of the tenant.',
  sensitive: true,
  params: FilePath,
  body: record('NewFileOwner', { ownerId: PrincipalId }),
  answer: FileAnswer,
  prepare: async ({ params: { fileId }, body: { ownerId }, ...request }, deps) => {
    const source = streamSourceOf(deps);
    const named = { tenantId: request.tenantId, principalId: ownerId, pointer: '/body/ownerId' };
    const refused = await requireActivePrincipal(source, named);
    if (isLeft(refused)) return refused;
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by, file } = subject.right;
    const inactive = await inactiveOwner(source, request, (access) => placedFile(access, file).ownerId);
    if (isLeft(inactive)) return inactive;
    const command = { type: 'ChangeFileOwner' as const, by, file, ownerId, inactiveOwner: inactive.right };
    return right({ stream, command, answer: { fileId } });
  },
});

const trashRoute = (type: 'TrashFile' | 'RestoreFile') =>
  commandRoute<CommandDeps>()({
    ...accessRouteDefaults,
    method: 'post',
    path: `/v1/files/:fileId/${type === 'TrashFile' ? 'trash' : 'restore'}`,
    operation: type === 'TrashFile' ? 'trashFile' : 'restoreFile',
    summary: type === 'TrashFile' ? 'Move a file to the trash' : 'Restore a file from the trash',
    description:
      type === 'TrashFile' ? 'It is no longer found once this is answered.' : 'With its versions and grants.',
    params: FilePath,
    answer: FileAnswer,
    prepare: async ({ params: { fileId }, ...request }, deps) => {
      const subject = await fileSubject(deps, request, fileId);
      if (isLeft(subject)) return subject;
      const { stream, by, file } = subject.right;
      return right({ stream, command: { type, by, file }, answer: { fileId } });
    },
  });

export const trashFile = trashRoute('TrashFile');
export const restoreFile = trashRoute('RestoreFile');

const { sensitive: _, ...deletionDefaults } = accessRouteDefaults;

export const deleteFile = commandRoute<CommandDeps>()({
  ...deletionDefaults,
  method: 'delete',
  path: '/v1/files/:fileId',
  operation: 'deleteFile',
  summary: 'Delete a file for ever',
  description:
    'By its owner. It is no longer found once this is answered; then it is removed from every store, which `getFileDeletion` shows. Repeated, it answers how far that is. Refused while the file is under a legal hold.',
  danger: true,
  params: FilePath,
  answer: record('DeletedFile', { fileId: FileId, status: oneOf('DeletedFileStatus', ['DELETING', 'DELETED']) }),
  prepare: async ({ params: { fileId }, ...request }, deps) => {
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by, file } = subject.right;
    const known = await loadStream(streamSourceOf(deps), deletion, deletionStream(request.tenantId, fileId));
    if (isLeft(known)) return left(problemOf(known.left, {}));
    const status = known.right.kind === 'deleted' ? ('DELETED' as const) : ('DELETING' as const);
    return right({ stream, command: { type: 'DeleteFile' as const, by, file }, answer: { fileId, status } });
  },
});
