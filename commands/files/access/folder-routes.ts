/** Routes of folders: create, rename, move, to the trash and back, delete, hand over. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { FolderName } from '../../../domain/files/access/events';
import { type CreatedFile, folderOf } from '../../../domain/files/access/state';
import { type FileId, FolderId } from '../../../domain/files/ids';
import { nullable, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { entriesOf } from '../../../domain/kernel/persistent-map';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { fileSourceOf } from '../file-source';
import {
  type AccessRequest,
  accessRouteDefaults,
  accessSubject,
  FolderAnswer,
  FolderPath,
  fileSubject,
  streamSourceOf,
} from './access-route';
import { inactiveOwner, requireActivePrincipal } from './principals';

export const createFolder = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/v1/file-folders',
  operation: 'createFileFolder',
  summary: 'Create a folder',
  description: 'In a folder that the caller may change; without `parentFolderId` at the top, seen by the caller alone.',
  created: true,
  body: record('NewFolder', { name: FolderName }, { parentFolderId: nullable(FolderId) }),
  answer: FolderAnswer,
  prepare: ({ body: { name, parentFolderId = null }, derivedId, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const folderId = derivedId('folder') as FolderId;
    return right({
      stream,
      command: { type: 'CreateFolder' as const, by, folderId, name, parentFolderId },
      answer: { folderId },
      location: `/v1/file-folders/${folderId}`,
    });
  },
});

export const renameFolder = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/file-folders/:folderId/name',
  operation: 'renameFileFolder',
  summary: 'Rename a folder',
  params: FolderPath,
  body: record('NewFolderName', { name: FolderName }),
  answer: FolderAnswer,
  prepare: ({ params: { folderId }, body: { name }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    return right({ stream, command: { type: 'RenameFolder' as const, by, folderId, name }, answer: { folderId } });
  },
});

export const moveFolder = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/file-folders/:folderId/parent',
  operation: 'moveFileFolder',
  summary: 'Move a folder with everything in it',
  description:
    'Roles in the folders above no longer count, those in the new ones do, with the answer. Null: to the top. Into itself it cannot go.',
  params: FolderPath,
  body: record('NewParentFolder', { parentFolderId: nullable(FolderId) }),
  answer: FolderAnswer,
  prepare: ({ params: { folderId }, body: { parentFolderId }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const command = { type: 'MoveFolder' as const, by, folderId, parentFolderId };
    return right({ stream, command, answer: { folderId } });
  },
});

const trashRoute = (type: 'TrashFolder' | 'RestoreFolder') =>
  commandRoute<CommandDeps>()({
    ...accessRouteDefaults,
    method: 'post',
    path: `/v1/file-folders/:folderId/${type === 'TrashFolder' ? 'trash' : 'restore'}`,
    operation: type === 'TrashFolder' ? 'trashFileFolder' : 'restoreFileFolder',
    summary: type === 'TrashFolder' ? 'Move a folder to the trash' : 'Restore a folder from the trash',
    description:
      type === 'TrashFolder'
        ? 'With everything in it, which is no longer found once this is answered.'
        : 'With everything that was in it.',
    params: FolderPath,
    answer: FolderAnswer,
    prepare: ({ params: { folderId }, ...request }) => {
      const subject = accessSubject(request);
      if (isLeft(subject)) return subject;
      const { stream, by } = subject.right;
      return right({ stream, command: { type, by, folderId }, answer: { folderId } });
    },
  });

export const trashFolder = trashRoute('TrashFolder');
export const restoreFolder = trashRoute('RestoreFolder');

/** As they were created: where one lies that was never moved, its own stream alone knows. */
const heldFiles = async (
  deps: CommandDeps,
  request: AccessRequest,
): Promise<Either<Problem, readonly CreatedFile[]>> => {
  const access = await readFileAccess(fileSourceOf(deps), request.tenantId);
  if (isLeft(access)) return left(problemOf(access.left, {}));
  const held: CreatedFile[] = [];
  for (const [fileId, { hold }] of entriesOf(access.right.files)) {
    if (hold === undefined) continue;
    const subject = await fileSubject(deps, request, fileId as FileId);
    if (isLeft(subject)) return subject;
    held.push(subject.right.file);
  }
  return right(held);
};

const { sensitive: _, ...deletionDefaults } = accessRouteDefaults;

export const deleteFolder = commandRoute<CommandDeps>()({
  ...deletionDefaults,
  method: 'delete',
  path: '/v1/file-folders/:folderId',
  operation: 'deleteFileFolder',
  summary: 'Delete a folder for ever, with everything in it',
  description:
    'By its owner, from the trash or not. Nothing in it is found once this is answered; then each file in it is deleted by itself, which `listFileDeletions` shows to its owner. Refused while a file in it is under a legal hold.',
  danger: true,
  params: FolderPath,
  answer: FolderAnswer,
  prepare: async ({ params: { folderId }, ...request }, deps) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const held = await heldFiles(deps, request);
    if (isLeft(held)) return held;
    const { stream, by } = subject.right;
    const command = { type: 'DeleteFolder' as const, by, folderId, held: held.right };
    return right({ stream, command, answer: { folderId } });
  },
});

export const changeFolderOwner = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/file-folders/:folderId/owner',
  operation: 'changeFileFolderOwner',
  summary: 'Hand a folder over to another owner',
  description:
    'By its owner, who then has access by grants only. With `files:admin`, also of a folder whose owner is not an active principal, also where it is not shared with the caller. The new owner must be an active principal of the tenant.',
  sensitive: true,
  params: FolderPath,
  body: record('NewFolderOwner', { ownerId: PrincipalId }),
  answer: FolderAnswer,
  prepare: async ({ params: { folderId }, body: { ownerId }, ...request }, deps) => {
    const source = streamSourceOf(deps);
    const named = { tenantId: request.tenantId, principalId: ownerId, pointer: '/body/ownerId' };
    const refused = await requireActivePrincipal(source, named);
    if (isLeft(refused)) return refused;
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const inactive = await inactiveOwner(source, request, (access) => folderOf(access, folderId)?.ownerId);
    if (isLeft(inactive)) return inactive;
    const command = { type: 'ChangeFolderOwner' as const, by, folderId, ownerId, inactiveOwner: inactive.right };
    return right({ stream, command, answer: { folderId } });
  },
});
