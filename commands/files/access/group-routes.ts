/** Routes of groups, which files are shared with. */
import { isLeft, right } from 'fp-ts/Either';
import { GroupName } from '../../../domain/files/access/events';
import { GroupId } from '../../../domain/files/ids';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import type { Identity } from '../../../infra/server/http/routing/route';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessRouteDefaults, accessSubject, GroupAnswer, GroupPath, streamSourceOf } from './access-route';
import { requireActivePrincipal } from './principals';

const MemberPath = record('FileGroupMemberPath', { groupId: GroupId, principalId: PrincipalId });

const isAdministratorOf = ({ scopes }: Pick<Identity, 'scopes'>): boolean => scopes.includes('files:admin');

export const createGroup = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'post',
  path: '/v1/file-groups',
  operation: 'createFileGroup',
  summary: 'Create a group of principals to share files with',
  created: true,
  body: record('NewFileGroup', { name: GroupName }),
  answer: GroupAnswer,
  prepare: ({ body: { name }, derivedId, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const groupId = derivedId('group') as GroupId;
    return right({ stream, command: { type: 'CreateGroup' as const, by, groupId, name }, answer: { groupId } });
  },
});

export const renameGroup = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'put',
  path: '/v1/file-groups/:groupId/name',
  operation: 'renameFileGroup',
  summary: 'Rename a group',
  description: 'By its creator, or with `files:admin`.',
  params: GroupPath,
  body: record('NewFileGroupName', { name: GroupName }),
  answer: GroupAnswer,
  prepare: ({ params: { groupId }, body: { name }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const isAdministrator = isAdministratorOf(request.identity);
    const command = { type: 'RenameGroup' as const, by, groupId, name, isAdministrator };
    return right({ stream, command, answer: { groupId } });
  },
});

export const deleteGroup = commandRoute<CommandDeps>()({
  ...accessRouteDefaults,
  method: 'delete',
  path: '/v1/file-groups/:groupId',
  operation: 'deleteFileGroup',
  summary: 'Delete a group',
  description: 'By its creator, or with `files:admin`. Members lose what they had by it once this is answered.',
  params: GroupPath,
  answer: GroupAnswer,
  prepare: ({ params: { groupId }, ...request }) => {
    const subject = accessSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const isAdministrator = isAdministratorOf(request.identity);
    return right({
      stream,
      command: { type: 'DeleteGroup' as const, by, groupId, isAdministrator },
      answer: { groupId },
    });
  },
});

const memberRoute = (type: 'AddGroupMember' | 'RemoveGroupMember') =>
  commandRoute<CommandDeps>()({
    ...accessRouteDefaults,
    method: type === 'AddGroupMember' ? 'put' : 'delete',
    path: '/v1/file-groups/:groupId/members/:principalId',
    operation: type === 'AddGroupMember' ? 'addFileGroupMember' : 'removeFileGroupMember',
    summary: type === 'AddGroupMember' ? 'Add a principal to a group' : 'Remove a principal from a group, or leave it',
    description:
      type === 'AddGroupMember'
        ? 'By its creator, or with `files:admin`. The member must be an active principal of the tenant.'
        : 'By its creator, by the member, or with `files:admin`. What the member had by it is gone once this is answered.',
    params: MemberPath,
    answer: GroupAnswer,
    prepare: async ({ params: { groupId, principalId }, ...request }, deps) => {
      const named = { tenantId: request.tenantId, principalId, pointer: '/params/principalId' };
      const refused =
        type === 'AddGroupMember' ? await requireActivePrincipal(streamSourceOf(deps), named) : right(undefined);
      if (isLeft(refused)) return refused;
      const subject = accessSubject(request);
      if (isLeft(subject)) return subject;
      const { stream, by } = subject.right;
      const isAdministrator = isAdministratorOf(request.identity);
      return right({ stream, command: { type, by, groupId, principalId, isAdministrator }, answer: { groupId } });
    },
  });

export const addGroupMember = memberRoute('AddGroupMember');
export const removeGroupMember = memberRoute('RemoveGroupMember');
