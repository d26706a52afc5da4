/** Decisions on groups: principals that files are shared with together. Their creator and administrators manage them. */
import { right } from 'fp-ts/Either';
import { findValue } from '../../kernel/persistent-map';
import { reject } from '../../kernel/rejection';
import { fileLimits } from '../limits';
import type { ChangeGroup, ChangeMember, CreateGroup, GroupCommand } from './commands';
import type { AccessDecision } from './rejections';
import type { FileAccessState } from './state';

const unknown = (): AccessDecision => reject('group-unknown', 'There is no such group.');

const refuse = (
  { by, groupId, isAdministrator }: ChangeGroup | ChangeMember,
  state: FileAccessState,
): AccessDecision | undefined => {
  const group = findValue(state.groups, groupId);
  if (group === undefined) return unknown();
  return isAdministrator || group.createdBy === by
    ? undefined
    : reject('group-of-another', 'Only its creator and administrators may change a group.');
};

const create = ({ by, groupId, name }: CreateGroup, state: FileAccessState): AccessDecision => {
  if (findValue(state.groups, groupId) !== undefined) return right([]);
  if (state.groups.size >= fileLimits.groups)
    return reject('too-many-groups', `A tenant has ${fileLimits.groups} groups at most.`);
  return right([{ type: 'GroupCreated', data: { groupId, name, createdBy: by } }]);
};

const change = (command: ChangeGroup, state: FileAccessState): AccessDecision => {
  const { type, groupId, name } = command;
  const refused = refuse(command, state);
  if (refused !== undefined) return refused;
  if (type === 'DeleteGroup') return right([{ type: 'GroupDeleted', data: { groupId } }]);
  const isSame = name === undefined || findValue(state.groups, groupId)?.name === name;
  return right(isSame ? [] : [{ type: 'GroupRenamed', data: { groupId, name } }]);
};

/** Members may leave by themselves. */
const changeMember = (command: ChangeMember, state: FileAccessState): AccessDecision => {
  const { type, by, groupId, principalId } = command;
  const members = findValue(state.groups, groupId)?.members ?? [];
  const isMember = members.includes(principalId);
  const leaves = type === 'RemoveGroupMember' && by === principalId && isMember;
  const refused = leaves ? undefined : refuse(command, state);
  if (refused !== undefined) return refused;
  if (type === 'RemoveGroupMember')
    return right(isMember ? [{ type: 'GroupMemberRemoved', data: { groupId, principalId } }] : []);
  if (isMember) return right([]);
  if (members.length >= fileLimits.membersOfGroup)
    return reject('too-many-members', `A group has ${fileLimits.membersOfGroup} members at most.`);
  return right([{ type: 'GroupMemberAdded', data: { groupId, principalId } }]);
};

export const decideGroup = (command: GroupCommand, state: FileAccessState): AccessDecision => {
  switch (command.type) {
    case 'CreateGroup':
      return create(command, state);
    case 'RenameGroup':
    case 'DeleteGroup':
      return change(command, state);
    case 'AddGroupMember':
    case 'RemoveGroupMember':
      return changeMember(command, state);
  }
};
