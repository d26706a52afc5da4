/** Routes of folders: create, rename, move, to the trash and back, hand over. */
import { isLeft, right } from 'fp-ts/Either';
import { FolderName } from '../../../domain/files/access/events';
import { FolderId } from '../../../domain/files/ids';
import { nullable, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessRouteDefaults, accessSubject, FolderAnswer, FolderPath } from './access-route';

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

export const changeFolderOwner = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/file-folders/:folderId/owner',
  operation: 'changeFileFolderOwner',
  summary: 'Hand a folder over to another owner',
  description: 'By its owner, who then has access by grants only.',
  params: FolderPath,
  body: record('NewFolderOwner', { ownerId: PrincipalId }),
  answer: FolderAnswer,
  prepare: ({ params: { folderId }, body: { ownerId }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const command = { type: 'ChangeFolderOwner' as const, by, folderId, ownerId };
    return right({ stream, command, answer: { folderId } });
  },
});
