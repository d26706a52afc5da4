/**
 * GET /v1/file-groups and GET /v1/file-groups/:groupId. Everyone in the tenant sees the names of groups, because files are shared with them;
 * members are for the members, the creator and administrators.
 */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Group } from '../../../domain/files/access/state';
import { GroupId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import { integer, listOf, nullable, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { entriesOf, findValue } from '../../../domain/kernel/persistent-map';
import { readFileAccess } from '../../../infra/server/files/file-access';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Identity, route } from '../../../infra/server/http/routing/route';
import { compareNames, pageByName } from '../../kernel/named-page';
import { pageAnswers, pageQuery } from '../../kernel/pagination';
import { minPosition } from '../../kernel/query-routes';
import { type FileReading, readProblems, scopes, tenantOf } from '../file-reading';
import { AccessName, accessNamesOf, named, namesPosition, peopleNamesOf } from './access-names';

const groupFields = {
  groupId: GroupId,
  name: AccessName,
  createdBy: PrincipalId,
  memberCount: integer(0),
  isMember: t.boolean,
  /** Whether the caller may rename and delete it, and change its members: its creator, and administrators. */
  isManaged: t.boolean,
};
const FileGroup = record('FileGroup', groupFields);

const GroupMember = record('FileGroupMember', { principalId: PrincipalId, name: AccessName });
const GroupWithMembers = record('FileGroupWithMembers', {
  ...groupFields,
  /** By name; null for callers who are neither a member, nor the creator, nor an administrator. */
  members: nullable(listOf('FileGroupMembers', GroupMember, fileLimits.membersOfGroup)),
});

const groupProblems = { ...readProblems, 'group-unknown': { status: 404, title: 'There is no such group' } } as const;

const answerOf = (
  groupId: GroupId,
  { createdBy, members }: Group,
  { principalId, scopes: held }: Pick<Identity, 'principalId' | 'scopes'>,
) => ({
  groupId,
  createdBy,
  memberCount: members.length,
  isMember: members.some((one) => one === principalId),
  isManaged: createdBy === principalId || held.includes('files:admin'),
});

export const listFileGroups = route<FileReading>()({
  method: 'get',
  path: '/v1/file-groups',
  operation: 'listFileGroups',
  summary: 'List the groups that files are shared with, by name',
  description: 'All of the tenant, so that files can be shared with them. Members are listed with each group.',
  access: { scopes },
  query: pageQuery('ListFileGroupsQuery', {}),
  headers: [minPosition],
  answers: pageAnswers('ListFileGroupsPage', FileGroup),
  problems: readProblems,
  handle: async (reading, { query, identity, ...request }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const position = await namesPosition(reading, request);
    if (isLeft(position)) return position.left;
    const access = await readFileAccess(reading.source, tenant.right);
    if (isLeft(access)) return problemOf(access.left, {});
    const groups = [...entriesOf(access.right.groups)];
    const ids = groups.map(([groupId]) => groupId);
    const names = named(await accessNamesOf(reading, tenant.right, 'group', ids));
    if (isLeft(names)) return names.left;
    const items = groups.map(([id, group]) => {
      const name = names.right.get(id)?.name ?? null;
      return { id, name, answer: { ...answerOf(id as GroupId, group, identity), name } };
    });
    const scope = [tenant.right, 'listFileGroups', identity.principalId];
    const nameOf = async (id: string): Promise<AccessName> => names.right.get(id)?.name ?? null;
    const page = await pageByName(items, query, { cursors: reading.cursors, scope, nameOf });
    if ('refused' in page) return page.refused;
    const { next_cursor } = page.page;
    const body = { items: page.page.items.map(({ answer }) => answer), next_cursor };
    return { status: 200, body, headers: positionHeader(position.right) };
  },
});

const unknown: Problem = problemOf(
  { kind: 'rejection', code: 'group-unknown', detail: 'There is no such group.' },
  groupProblems,
);

export const getFileGroup = route<FileReading>()({
  method: 'get',
  path: '/v1/file-groups/:groupId',
  operation: 'getFileGroup',
  summary: 'Get a group with its members',
  description: 'Members are shown to members, to its creator, and with `files:admin`; to others `members` is null.',
  access: { scopes },
  params: record('FileGroupPath', { groupId: GroupId }),
  headers: [minPosition],
  answers: { 200: { description: 'The group.', body: GroupWithMembers, headers: ['Position'] } },
  problems: groupProblems,
  handle: async (reading, { params: { groupId }, identity, ...request }) => {
    const tenant = tenantOf(identity);
    if (isLeft(tenant)) return tenant.left;
    const position = await namesPosition(reading, request);
    if (isLeft(position)) return position.left;
    const access = await readFileAccess(reading.source, tenant.right);
    if (isLeft(access)) return problemOf(access.left, {});
    const group = findValue(access.right.groups, groupId);
    if (group === undefined) return unknown;
    const names = named(await accessNamesOf(reading, tenant.right, 'group', [groupId]));
    if (isLeft(names)) return names.left;
    const summary = answerOf(groupId, group, identity);
    const mayRead = summary.isMember || summary.isManaged;
    const people = await peopleNamesOf(reading, tenant.right, mayRead ? group.members : []);
    const members = group.members
      .map((id) => ({ id, name: people.get(id) ?? null }))
      .toSorted(compareNames)
      .map(({ id, name }) => ({ principalId: id, name }));
    const body = { ...summary, name: names.right.get(groupId)?.name ?? null, members: mayRead ? members : null };
    return { status: 200, body, headers: positionHeader(position.right) };
  },
});
