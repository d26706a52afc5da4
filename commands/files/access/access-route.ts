/** Shared parts of routes that change who sees what: the stream, the caller, and the file that a change is about. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { fileAccessStream } from '../../../domain/files/access/events';
import type { CreatedFile } from '../../../domain/files/access/state';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import { FileGrantId, FileId, FolderId, GroupId } from '../../../domain/files/ids';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../kernel/command-spec';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { accessProblems } from '../problems';

export const FilePath = record('FilePath', { fileId: FileId });
export const FolderPath = record('FolderPath', { folderId: FolderId });
export const GroupPath = record('FileGroupPath', { groupId: GroupId });
export const FileAnswer = record('FileAnswer', { fileId: FileId });
export const FolderAnswer = record('FolderAnswer', { folderId: FolderId });
export const GroupAnswer = record('FileGroupAnswer', { groupId: GroupId });
export const GrantAnswer = record('FileGrantAnswer', { grantId: FileGrantId });

export const accessRouteDefaults = {
  decider: fileAccessRules,
  problems: accessProblems,
  scopes: ['files:write'],
  /** Of authority over files alone, which every read checks against the log. */
  sensitive: false,
};

export interface AccessRequest {
  readonly tenantId: TenantId;
  readonly identity: Identity;
}

export interface AccessSubject {
  readonly stream: string;
  readonly by: PrincipalId;
}

export const accessSubject = ({ tenantId, identity }: AccessRequest): Either<Problem, AccessSubject> => {
  const { principalId: by } = identity;
  // The gateway signed it, but it will be stored as an owner's id.
  if (!PrincipalId.is(by)) return left(problem('forbidden', 'The token’s principal cannot own files.'));
  return right({ stream: fileAccessStream(tenantId), by });
};

export const streamSourceOf = ({ store, warm }: Pick<CommandDeps, 'store' | 'warm'>): StreamSource =>
  warm === undefined ? { store } : { store, warm };

/** The file as its own stream has it; whether the caller may know of it is decided with the access stream. */
export const fileSubject = async (
  deps: Pick<CommandDeps, 'store' | 'warm'>,
  request: AccessRequest,
  fileId: FileId,
): Promise<Either<Problem, AccessSubject & { readonly file: CreatedFile }>> => {
  const subject = accessSubject(request);
  if (isLeft(subject)) return subject;
  const loaded = await loadStream(streamSourceOf(deps), fileRules, fileStream(request.tenantId, fileId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  if (loaded.right.kind === 'none')
    return left(
      problemOf(
        {
          kind: 'rejection',
          code: 'file-unknown',
          detail: 'There is no such file, or it is not shared with the caller.',
        },
        accessProblems,
      ),
    );
  const { ownerId, folderId } = loaded.right;
  return right({ ...subject.right, file: { fileId, ownerId, folderId } });
};
