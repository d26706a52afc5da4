/** Decisions on grants: what is shared with which principals. Grants only allow, so that one more never takes anything away. */
import { right } from 'fp-ts/Either';
import { findValue } from '../../kernel/persistent-map';
import { reject } from '../../kernel/rejection';
import { fileLimits } from '../limits';
import type { FilePermission } from '../roles';
import type { AddGrant, RevokeGrant, SharedResource } from './commands';
import { type AccessDecision, fileUnknown, folderUnknown, refuseUnlessPermitted } from './rejections';
import { type FileAccessState, grantsOn, roleInFile, roleInFolder } from './state';

const resourceIdOf = (resource: SharedResource): string =>
  resource.type === 'file' ? resource.file.fileId : resource.folderId;

const refuseResource = (state: FileAccessState, by: string, resource: SharedResource, act: FilePermission) =>
  resource.type === 'file'
    ? refuseUnlessPermitted(roleInFile(state, by, resource.file), act, fileUnknown)
    : refuseUnlessPermitted(roleInFolder(state, by, resource.folderId), act, folderUnknown);

/** A principal has one grant on a resource: another role takes its place. */
export const addGrant = (command: AddGrant, state: FileAccessState): AccessDecision => {
  const { by, grantId, resource, principalType, principalId, role } = command;
  const refused = refuseResource(state, by, resource, 'share');
  if (refused !== undefined) return refused;
  if (principalType === 'group' && findValue(state.groups, principalId) === undefined)
    return reject('group-unknown', 'There is no such group.');
  // An id is of one grant: the fold finds grants of a resource by their ids.
  if (findValue(state.grants, grantId) !== undefined) return right([]);
  const resourceId = resourceIdOf(resource);
  const all = grantsOn(state, resource.type, resourceId);
  const before = all.find((one) => one.principalType === principalType && one.principalId === principalId);
  if (before?.role === role) return right([]);
  if (before === undefined && (state.grants.size >= fileLimits.grants || all.length >= fileLimits.grantsOfResource))
    return reject(
      'too-many-grants',
      `A file or folder has ${fileLimits.grantsOfResource} grants at most, and a tenant ${fileLimits.grants}; share with a group.`,
    );
  const grant = { grantId, resourceType: resource.type, resourceId, principalType, principalId, role };
  return right([
    ...(before === undefined ? [] : [{ type: 'GrantRevoked' as const, data: { grantId: before.grantId } }]),
    { type: 'GrantAdded', data: { ...grant, grantedBy: by } },
  ]);
};

/** Principals may give up a grant of their own. */
export const revokeGrant = ({ by, grantId, resource }: RevokeGrant, state: FileAccessState): AccessDecision => {
  const grant = grantsOn(state, resource.type, resourceIdOf(resource)).find((one) => one.grantId === grantId);
  const isOwn = grant?.principalType === 'user' && grant.principalId === by;
  const refused = refuseResource(state, by, resource, isOwn ? 'read' : 'share');
  if (refused !== undefined) return refused;
  return right(grant === undefined ? [] : [{ type: 'GrantRevoked', data: { grantId } }]);
};
