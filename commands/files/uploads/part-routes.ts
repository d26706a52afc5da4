/** Requests that upload a version: in parts, which can be resumed, or whole by another signed address. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { versionKey } from '../../../domain/files/content/keys';
import { FileId, VersionId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import { integer, listOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { Rejection } from '../../../domain/kernel/rejection';
import { requireFile } from '../../../infra/server/files/file-access';
import { commonProblems, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { integerParameter } from '../../../infra/server/http/routing/integer-parameter';
import { type Identity, route } from '../../../infra/server/http/routing/route';
import { partBytes, partCount } from '../../kernel/uploads/file-parts';
import type { UploadedFile } from '../../kernel/uploads/file-upload';
import {
  answerArrivedParts,
  answerSignedFile,
  answerSignedPart,
  PartSha256,
  signedAnswer,
} from '../../kernel/uploads/upload-answers';
import { fileSourceOf } from '../file-source';
import { fileProblems, uploadProblems } from '../problems';
import { scopes, type UploadDeps, VersionPath } from './upload-sessions';

const access = { scopes };
const problems = { ...fileProblems, ...uploadProblems, 'not-found': commonProblems['not-found'] };

const mostParts = partCount(fileLimits.bytes);

const expired: Rejection<'version-expired'> = {
  kind: 'rejection',
  code: 'version-expired',
  detail: 'The upload session has ended: it is completed, or expired.',
};

/** Of a session that waits for its bytes. */
const awaitedFile = async (
  source: Pick<UploadDeps, 'store' | 'warm'>,
  { tenantId, principalId }: Pick<Identity, 'tenantId' | 'principalId'>,
  { fileId, versionId }: { readonly fileId: FileId; readonly versionId: VersionId },
): Promise<Either<Problem, UploadedFile>> => {
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const found = await requireFile(fileSourceOf(source), { tenant: tenantId, fileId, principalId, act: 'write' });
  if (isLeft(found)) return left(problemOf(found.left, fileProblems));
  const version = found.right.file.versions.find((one) => one.versionId === versionId);
  if (version === undefined) return left(problem('not-found', 'The file has no such version.'));
  if (version.upload !== 'open') return left(problemOf(expired, fileProblems));
  return right({ key: versionKey(tenantId, fileId, versionId), size: version.sizeBytes });
};

export const resumeFileUpload = route<UploadDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/versions/:versionId/parts',
  operation: 'resumeFileUpload',
  summary: 'Start or resume uploading a version in parts',
  description: `The file is cut into parts of \`partBytes\` (${partBytes}); the last one may be shorter. Answers which have arrived: the others are signed and sent, in any order, then the version is completed.`,
  access,
  sensitive: false,
  params: VersionPath,
  answers: {
    200: {
      description: 'How the file is cut, and what of it has arrived.',
      body: record('FilePartUpload', {
        partBytes: integer(1),
        arrived: listOf(
          'ArrivedFileParts',
          record('ArrivedFilePart', { part: integer(1), size: integer(1) }),
          mostParts,
        ),
      }),
    },
  },
  problems,
  handle: async ({ blobs, ...source }, { params, identity }) => {
    const file = await awaitedFile(source, identity, params);
    if (isLeft(file)) return file.left;
    return answerArrivedParts(blobs, file.right, uploadProblems);
  },
});

export const signFilePart = route<UploadDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/versions/:versionId/parts/:part',
  operation: 'signFilePart',
  summary: 'Sign a request that uploads a part of a version',
  description:
    'Parts are numbered from 1. The request takes exactly the bytes that the part has, within an hour; with `sha256`, no others. A part that is sent again replaces the one before.',
  access,
  sensitive: false,
  params: record('FilePartPath', {
    fileId: FileId,
    versionId: VersionId,
    part: integerParameter('FilePartNumber', { minimum: 1, maximum: mostParts }),
  }),
  body: record('FilePart', {}, { sha256: PartSha256 }),
  answers: { 200: signedAnswer },
  problems,
  handle: async ({ blobs, ...source }, { params, body: { sha256 }, identity }) => {
    const file = await awaitedFile(source, identity, params);
    if (isLeft(file)) return file.left;
    return answerSignedPart(blobs, file.right, { part: params.part, sha256 }, uploadProblems);
  },
});

export const signFileUpload = route<UploadDeps>()({
  method: 'post',
  path: '/v1/files/:fileId/versions/:versionId/upload',
  operation: 'signFileUpload',
  summary: 'Sign another request that uploads a version whole',
  description: 'For a session whose address has expired, or a file that is sent whole although it is large.',
  access,
  sensitive: false,
  params: VersionPath,
  answers: { 200: signedAnswer },
  problems,
  handle: async ({ blobs, ...source }, { params, identity }) => {
    const file = await awaitedFile(source, identity, params);
    if (isLeft(file)) return file.left;
    return answerSignedFile(blobs, { ...file.right, expected: 'absent' }, uploadProblems);
  },
});
