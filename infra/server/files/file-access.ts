/** Reads a file and the access stream of its tenant, to their ends: what was revoked, moved or deleted before is known. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type FileAccessEvent, fileAccess, fileAccessStream } from '../../../domain/files/access/events';
import { evolve as evolveAccess, type FileAccessState, noAccess, roleInFile } from '../../../domain/files/access/state';
import { type FileEvent, fileStream, files } from '../../../domain/files/file/events';
import { type CreatedFileState, evolve as evolveFile, type FileState, noFile } from '../../../domain/files/file/state';
import type { FileId } from '../../../domain/files/ids';
import { describeRequiredRole, type FilePermission, type FileRole, isPermitted } from '../../../domain/files/roles';
import type { TenantId } from '../../../domain/kernel/ids';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { EventStoreFault } from '../../ports/event-store';
import { type AggregateSource, loadAggregate } from '../aggregates/load-aggregate';
import type { FoldRules } from '../aggregates/loaded-aggregate';

/** A cache holds one state of a stream, by the rules that folded it: what shares a cache shares its rules. */
interface FileFold {
  readonly file: FoldRules<FileState, FileEvent>;
  readonly access: FoldRules<FileAccessState, FileAccessEvent>;
}

export interface FileSource extends AggregateSource {
  readonly rules: FileFold;
}

/** Of readers, which know no deciders. */
export const readerRules: FileFold = {
  file: { family: files, initial: noFile, evolve: evolveFile },
  access: { family: fileAccess, initial: noAccess, evolve: evolveAccess },
};

export const readFileAccess = async (
  source: FileSource,
  tenant: TenantId,
): Promise<Either<EventStoreFault, FileAccessState>> => {
  const loaded = await loadAggregate(source, source.rules.access, fileAccessStream(tenant));
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

export const readFile = async (
  source: FileSource,
  tenant: TenantId,
  fileId: FileId,
): Promise<Either<EventStoreFault, FileState>> => {
  const loaded = await loadAggregate(source, source.rules.file, fileStream(tenant, fileId));
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

export interface PermittedFile {
  readonly file: CreatedFileState;
  readonly access: FileAccessState;
  /** Of the caller. */
  readonly role: FileRole;
}

const unknown = reject('file-unknown', 'There is no such file, or it is not shared with the caller.');

/** Without a role, the answer does not reveal whether the file exists. */
export const requireFile = async (
  source: FileSource,
  {
    tenant,
    fileId,
    principalId,
    act,
  }: {
    readonly tenant: TenantId;
    readonly fileId: FileId;
    readonly principalId: string;
    readonly act: FilePermission;
  },
): Promise<Either<Rejection<'file-unknown' | 'role-too-low'> | EventStoreFault, PermittedFile>> => {
  const [file, access] = await Promise.all([readFile(source, tenant, fileId), readFileAccess(source, tenant)]);
  if (isLeft(file)) return file;
  if (isLeft(access)) return access;
  const state = file.right;
  if (state.kind === 'none') return unknown;
  const role = roleInFile(access.right, principalId, state);
  if (role === undefined) return unknown;
  if (!isPermitted(role, act))
    return left({ kind: 'rejection', code: 'role-too-low', detail: `${describeRequiredRole(act)} may do this.` });
  return right({ file: state, access: access.right, role });
};
