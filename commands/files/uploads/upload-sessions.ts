/** Upload sessions: a file, or a new version of one, is opened, its bytes are sent to object storage, then it is completed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { roleInFolder } from '../../../domain/files/access/state';
import { Sha256 } from '../../../domain/files/content/content-reference';
import { versionKey } from '../../../domain/files/content/keys';
import { file as fileRules } from '../../../domain/files/file/decider';
import { FileName, fileStream, MediaType } from '../../../domain/files/file/events';
import type { FileVersion } from '../../../domain/files/file/state';
import { FileId, FolderId, VersionId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import { describeRequiredRole, isPermitted } from '../../../domain/files/roles';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { readFileAccess, requireFile } from '../../../infra/server/files/file-access';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { derivedId as derive } from '../../kernel/deterministic-ids';
import { type Actor, callerOf } from '../../kernel/handle-request';
import { completeFile, contentType, type FileBlobs } from '../../kernel/uploads/file-upload';
import { fileSeconds } from '../../kernel/uploads/upload-answers';
import { fileSourceOf } from '../file-source';
import { fileProblems, uploadProblems } from '../problems';
import { accountStorage } from '../storage/account-storage';
import { isSupportedType } from './supported-types';

export interface UploadDeps extends CommandDeps {
  readonly blobs: FileBlobs;
}

export const scopes = ['files:write'];
export const VersionPath = record('FileVersionPath', { fileId: FileId, versionId: VersionId });

/** A session answers with what a single request needs; larger files are sent in parts, each signed by itself. */
const UploadSession = record('UploadSession', {
  fileId: FileId,
  versionId: VersionId,
  /** Null: the file is uploaded in parts. */
  uploadUrl: nullable(t.string),
  uploadMethod: oneOf('SessionUploadMethod', ['PUT']),
  uploadHeaders: t.record(t.string, t.string),
  /** Of the signed address; the session itself lasts a day. */
  expiresAt: Instant,
});

const refuseContent = (mimeType: string, sizeBytes: number): Problem | undefined => {
  const refused = <Code extends 'file-too-large' | 'file-type-unsupported'>(code: Code, detail: string) =>
    problemOf({ kind: 'rejection', code, detail }, uploadProblems);
  if (sizeBytes > fileLimits.bytes) return refused('file-too-large', `Files have at most ${fileLimits.bytes} bytes.`);
  if (mimeType.startsWith('text/') && sizeBytes > fileLimits.textBytes)
    return refused('file-too-large', `Files of text have at most ${fileLimits.textBytes} bytes; split it.`);
  if (!isSupportedType(mimeType))
    return refused(
      'file-type-unsupported',
      'Documents, tables, text, code, pictures, audio and video are taken; archives and programs are not.',
    );
  return undefined;
};

const refuseFolder = async (
  deps: UploadDeps,
  tenant: TenantId,
  { principalId, folderId }: { readonly principalId: string; readonly folderId: FolderId | null },
): Promise<Problem | undefined> => {
  if (folderId === null) return undefined;
  const access = await readFileAccess(fileSourceOf(deps), tenant);
  if (isLeft(access)) return problemOf(access.left, {});
  const role = roleInFolder(access.right, principalId, folderId);
  const refused = <Code extends 'folder-unknown' | 'role-too-low'>(code: Code, detail: string) =>
    problemOf({ kind: 'rejection', code, detail }, fileProblems);
  if (role === undefined)
    return refused('folder-unknown', 'There is no such folder, or it is not shared with the caller.');
  return isPermitted(role, 'write')
    ? undefined
    : refused('role-too-low', `${describeRequiredRole('write')} may do this.`);
};

interface OpenedVersion {
  readonly tenant: TenantId;
  readonly fileId: FileId;
  readonly versionId: VersionId;
  readonly sizeBytes: number;
  readonly isInParts: boolean;
  readonly at: Instant;
}

const sessionOf = async (
  { blobs }: UploadDeps,
  { tenant, fileId, versionId, sizeBytes, isInParts, at }: OpenedVersion,
): Promise<Either<Problem, t.TypeOf<typeof UploadSession>>> => {
  const named = { fileId, versionId, uploadMethod: 'PUT' as const };
  if (isInParts)
    return right({
      ...named,
      uploadUrl: null,
      uploadHeaders: {},
      expiresAt: plusSeconds(at, fileLimits.uploadSeconds),
    });
  const key = versionKey(tenant, fileId, versionId);
  // A stored file is not replaced, however long its address is valid.
  const signed = await blobs.signPut({ key, size: sizeBytes, contentType, seconds: fileSeconds, expected: 'absent' });
  if (isLeft(signed)) return left(problemOf(signed.left, uploadProblems));
  const { url, headers, expiresAt } = signed.right;
  return right({ ...named, uploadUrl: url, uploadHeaders: headers, expiresAt });
};

const newVersion = (
  versionId: VersionId,
  { sizeBytes, mimeType }: { readonly sizeBytes: number; readonly mimeType: string },
  { openedBy, at }: { readonly openedBy: PrincipalId; readonly at: Instant },
) => ({
  ...{ versionId, sizeBytes, mimeType, openedBy },
  expiresAt: plusSeconds(at, fileLimits.uploadSeconds),
  isInParts: sizeBytes > fileLimits.singleUploadBytes,
});

interface ReservedVersion {
  readonly tenant: TenantId;
  readonly fileId: FileId;
  readonly version: ReturnType<typeof newVersion>;
  readonly isNewFile: boolean;
  readonly commandId: string;
  readonly actor: Actor;
}

/** Before the session is opened: one that is opened fits. What ends in between stays reserved until the reconciler finds it. */
const reserveStorage = async (
  deps: UploadDeps,
  { tenant, fileId, version, isNewFile, commandId, actor }: ReservedVersion,
): Promise<Problem | undefined> => {
  const { versionId, sizeBytes: bytes, mimeType, expiresAt } = version;
  const reserved = await accountStorage(deps, tenant, {
    command: { type: 'ReserveStorage', fileId, versionId, bytes, expiresAt, isNewFile },
    fingerprint: ['reserve-storage', fileId, versionId, bytes, mimeType],
    commandId: derive('files-storage', tenant, versionId, 'reserved'),
    correlationId: commandId,
    actor,
  });
  if (!isLeft(reserved)) return undefined;
  const refused = reserved.left;
  // Segments are begun and changed as needed; none is left to the caller.
  if (refused.code === 'storage-segment-full' || refused.code === 'storage-segment-missing')
    throw new Error(`The storage of a tenant was not accounted: ${refused.code}.`);
  return problemOf(refused as Extract<typeof refused, { code: keyof typeof uploadProblems }>, uploadProblems);
};

const sizeBytes = integer(1);

export const createUploadSession = commandRoute<UploadDeps>()({
  method: 'post',
  path: '/v1/files/upload-sessions',
  operation: 'createFileUploadSession',
  summary: 'Begin to upload a file',
  description: `Answers a signed address for one PUT with the bytes of the file and \`uploadHeaders\`. Above ${fileLimits.singleUploadBytes} bytes \`uploadUrl\` is null: send the file in parts (\`resumeFileUpload\`). Then complete the version. A session that is not completed within a day expires. Files have at most ${fileLimits.bytes} bytes. Without \`parentFolderId\` the file is seen by the caller alone until it is shared.`,
  scopes,
  sensitive: false,
  created: true,
  body: record(
    'NewUploadSession',
    { filename: FileName, mimeType: MediaType, sizeBytes },
    { parentFolderId: nullable(FolderId) },
  ),
  answer: UploadSession,
  decider: fileRules,
  problems: { ...fileProblems, ...uploadProblems },
  prepare: async ({ body, tenantId: tenant, identity, at, commandId, derivedId }, deps) => {
    const { principalId } = identity;
    if (!PrincipalId.is(principalId)) return left(problem('forbidden', 'The token’s principal cannot own files.'));
    const folderId = body.parentFolderId ?? null;
    const refused =
      refuseContent(body.mimeType, body.sizeBytes) ?? (await refuseFolder(deps, tenant, { principalId, folderId }));
    if (refused !== undefined) return left(refused);
    const fileId = derivedId('file') as FileId;
    const versionId = derivedId('version') as VersionId;
    const version = newVersion(versionId, body, { openedBy: principalId, at });
    const session = await sessionOf(deps, { tenant, fileId, ...version, at });
    if (isLeft(session)) return session;
    const overQuota = await reserveStorage(deps, {
      tenant,
      fileId,
      version,
      isNewFile: true,
      commandId,
      actor: callerOf(identity),
    });
    if (overQuota !== undefined) return left(overQuota);
    return right({
      stream: fileStream(tenant, fileId),
      command: { type: 'CreateFile' as const, fileId, name: body.filename, folderId, version },
      answer: session.right,
      location: `/v1/files/${fileId}`,
      fresh: true,
    });
  },
});

export const createVersionSession = commandRoute<UploadDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/versions',
  operation: 'createFileVersionSession',
  summary: 'Begin to upload a new version of a file',
  description: 'As a session of a new file. The version before answers until the new one is ready, then never again.',
  scopes,
  sensitive: false,
  created: true,
  params: record('FilePath', { fileId: FileId }),
  body: record('NewVersionSession', { mimeType: MediaType, sizeBytes }),
  answer: UploadSession,
  decider: fileRules,
  problems: { ...fileProblems, ...uploadProblems },
  prepare: async ({ params: { fileId }, body, tenantId: tenant, identity, at, commandId, derivedId }, deps) => {
    const { principalId } = identity;
    if (!PrincipalId.is(principalId)) return left(problem('forbidden', 'The token’s principal cannot change files.'));
    const refused = refuseContent(body.mimeType, body.sizeBytes);
    if (refused !== undefined) return left(refused);
    const found = await requireFile(fileSourceOf(deps), { tenant, fileId, principalId, act: 'write' });
    if (isLeft(found)) return left(problemOf(found.left, fileProblems));
    const versionId = derivedId('version') as VersionId;
    const version = newVersion(versionId, body, { openedBy: principalId, at });
    const session = await sessionOf(deps, { tenant, fileId, ...version, at });
    if (isLeft(session)) return session;
    const overQuota = await reserveStorage(deps, {
      tenant,
      fileId,
      version,
      isNewFile: false,
      commandId,
      actor: callerOf(identity),
    });
    if (overQuota !== undefined) return left(overQuota);
    return right({
      stream: fileStream(tenant, fileId),
      command: { type: 'OpenVersion' as const, fileId, version },
      answer: session.right,
    });
  },
});

type CompletionRefusal = 'version-unknown' | 'file-size-differs';

/** The size is checked here, the checksum by the first stage, which reads the bytes. */
const checkStored = async (
  { blobs }: UploadDeps,
  key: string,
  { sizeBytes: expected }: FileVersion,
): Promise<Either<Rejection<CompletionRefusal> | Problem, string>> => {
  const completed = await completeFile(blobs, { key, size: expected });
  if (isLeft(completed)) return left(problemOf(completed.left, uploadProblems));
  const stored = await blobs.head(key);
  if (isLeft(stored))
    return left(problemOf(stored.left, { ...uploadProblems, 'blob-unknown': uploadProblems['file-incomplete'] }));
  if (stored.right.size !== expected)
    return reject('file-size-differs', `The session is for ${expected} bytes; ${stored.right.size} are stored.`);
  return right(stored.right.etag);
};

export const completeVersion = commandRoute<UploadDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/versions/:versionId/complete',
  operation: 'completeFileVersion',
  summary: 'Complete an upload',
  description:
    'The stored bytes must have the size of the session, else 409 `file-size-differs`; of a file in parts all parts must be there, else 409 `file-incomplete`. Whether they have this SHA-256 is found while they are processed: else the file is `FAILED` with `CHECKSUM_MISMATCH`. Repeated with the same checksum it has no effect.',
  scopes,
  sensitive: false,
  params: VersionPath,
  body: record('CompletedUpload', { checksumSha256: Sha256 }),
  answer: record('CompletedVersion', {
    fileId: FileId,
    versionId: VersionId,
    status: oneOf('CompletedStatus', ['PROCESSING']),
  }),
  decider: fileRules,
  problems: { ...fileProblems, ...uploadProblems },
  prepare: async ({ params, body: { checksumSha256 }, tenantId: tenant, identity: { principalId }, at }, deps) => {
    const { fileId, versionId } = params;
    if (!PrincipalId.is(principalId)) return left(problem('forbidden', 'The token’s principal cannot change files.'));
    const found = await requireFile(fileSourceOf(deps), { tenant, fileId, principalId, act: 'write' });
    if (isLeft(found)) return left(problemOf(found.left, fileProblems));
    const prepared = (etag: string) =>
      right({
        stream: fileStream(tenant, fileId),
        command: {
          type: 'CompleteVersion' as const,
          ...{ fileId, versionId, checksumSha256, etag, at },
          completedBy: principalId,
        },
        answer: { fileId, versionId, status: 'PROCESSING' as const },
      });
    const version = found.right.file.versions.find((one) => one.versionId === versionId);
    // The decider refuses what is unknown, expired, or completed with another checksum.
    if (version?.upload !== 'open') return prepared('');
    const stored = await checkStored(deps, versionKey(tenant, fileId, versionId), version);
    if (!isLeft(stored)) return prepared(stored.right);
    return left(
      'problem' in stored.left ? stored.left : problemOf(stored.left, { ...fileProblems, ...uploadProblems }),
    );
  },
});
