/** Why changes of access are refused. Without a role, the answer does not reveal whether a file or folder exists. */
import { type Either, left } from 'fp-ts/Either';
import { type Rejection, reject } from '../../kernel/rejection';
import { describeRequiredRole, type FilePermission, type FileRole, isPermitted } from '../roles';
import type { FileAccessEvent } from './events';

export type FileAccessRejection =
  | 'folder-unknown'
  | 'folder-cycle'
  | 'folder-too-deep'
  | 'file-unknown'
  | 'role-too-low'
  | 'file-held'
  | 'file-deleting'
  | 'folder-held'
  | 'grant-unknown'
  | 'group-unknown'
  | 'group-of-another'
  | 'too-many-folders'
  | 'too-many-grants'
  | 'too-many-groups'
  | 'too-many-members';

export type AccessDecision = Either<Rejection<FileAccessRejection>, readonly FileAccessEvent[]>;

export const folderUnknown = (): Either<Rejection<'folder-unknown'>, never> =>
  reject('folder-unknown', 'There is no such folder, or it is not shared with the caller.');

export const fileUnknown = (): Either<Rejection<'file-unknown'>, never> =>
  reject('file-unknown', 'There is no such file, or it is not shared with the caller.');

/** Undefined where the role permits it. */
export const refuseUnlessPermitted = (
  role: FileRole | undefined,
  act: FilePermission,
  unknown: () => Either<Rejection<'folder-unknown' | 'file-unknown'>, never>,
): Either<Rejection<FileAccessRejection>, never> | undefined => {
  if (role === undefined) return unknown();
  return isPermitted(role, act)
    ? undefined
    : left({ kind: 'rejection', code: 'role-too-low', detail: `${describeRequiredRole(act)} may do this.` });
};
