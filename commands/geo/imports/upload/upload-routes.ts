/** Requests that upload the file of an import: in parts, which can be resumed, or whole. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { ImportId } from '../../../../domain/geo/ids';
import { maxFileBytes } from '../../../../domain/geo/import/events';
import { integer, listOf, record } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import { commonProblems, type Problem, problem, problemOf } from '../../../../infra/server/http/problem';
import { integerParameter } from '../../../../infra/server/http/routing/integer-parameter';
import { type Identity, route } from '../../../../infra/server/http/routing/route';
import type { StreamSource } from '../../../kernel/load-stream';
import { partBytes, partCount } from '../../../kernel/uploads/file-parts';
import type { FileBlobs, UploadedFile } from '../../../kernel/uploads/file-upload';
import {
  answerArrivedParts,
  answerSignedFile,
  answerSignedPart,
  PartSha256,
  signedAnswer,
} from '../../../kernel/uploads/upload-answers';
import { fileProblems, importProblems, sourceProblems } from '../../problems';
import { loadOwnImport } from '../own-import';
import { fileKey } from './file-key';

interface UploadDeps extends StreamSource {
  readonly blobs: FileBlobs;
}

const access = { scopes: ['places:write'] };
const ImportPath = record('ImportPath', { importId: ImportId });
const problems = {
  ...importProblems,
  ...fileProblems,
  ...sourceProblems,
  'not-found': commonProblems['not-found'],
};

const mostParts = partCount(maxFileBytes);

/** Of an import that waits for it. */
const awaitedFile = async (
  source: StreamSource,
  { tenantId, principalId }: Pick<Identity, 'tenantId' | 'principalId'>,
  importId: ImportId,
): Promise<Either<Problem, UploadedFile>> => {
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const state = await loadOwnImport(source, { tenant: tenantId, principalId }, importId);
  if (isLeft(state)) return state;
  if (state.right.kind === 'none') return left(problem('not-found', 'There is no such import.'));
  if (state.right.kind === 'created')
    return right({ key: fileKey(tenantId, importId), size: state.right.definition.size });
  const ended = { kind: 'rejection', code: 'import-ended', detail: 'The import no longer accepts a file.' } as const;
  return left(problemOf(ended, importProblems));
};

export const resumeImportUpload = route<UploadDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/parts',
  operation: 'resumePlaceImportUpload',
  summary: 'Start or resume uploading the file of an import in parts',
  description: `The file is cut into parts of \`partBytes\` (${partBytes}); the last one may be shorter. Answers which have arrived: the others are signed and sent, in any order, then the import is started. Parts of an import that is not started within a week are removed.`,
  access,
  sensitive: false,
  params: ImportPath,
  answers: {
    200: {
      description: 'How the file is cut, and what of it has arrived.',
      body: record('PlaceFileUpload', {
        partBytes: integer(1),
        arrived: listOf('ArrivedParts', record('ArrivedPart', { part: integer(1), size: integer(1) }), mostParts),
      }),
    },
  },
  problems,
  handle: async ({ store, blobs }, { params: { importId }, identity }) => {
    const file = await awaitedFile({ store }, identity, importId);
    if (isLeft(file)) return file.left;
    return answerArrivedParts(blobs, file.right, fileProblems);
  },
});

export const signImportPart = route<UploadDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/parts/:part',
  operation: 'signPlaceImportPart',
  summary: 'Sign a request that uploads a part of the file of an import',
  description:
    'Parts are numbered from 1. The request takes exactly the bytes that the part has, within an hour; with `sha256`, no others. A part that is sent again replaces the one before.',
  access,
  sensitive: false,
  params: record('ImportPartPath', {
    importId: ImportId,
    part: integerParameter('PartNumber', { minimum: 1, maximum: mostParts }),
  }),
  body: record('PlaceFilePart', {}, { sha256: PartSha256 }),
  answers: { 200: signedAnswer },
  problems,
  handle: async ({ store, blobs }, { params: { importId, part }, body: { sha256 }, identity }) => {
    const file = await awaitedFile({ store }, identity, importId);
    if (isLeft(file)) return file.left;
    return answerSignedPart(blobs, file.right, { part, sha256 }, fileProblems);
  },
});

export const signImportFile = route<UploadDeps>()({
  method: 'post',
  path: '/v1/places/imports/:importId/upload',
  operation: 'signPlaceImportFile',
  summary: 'Sign a request that uploads the whole file of an import',
  description:
    'For small files: one that is interrupted begins again. It takes exactly the size that the import was created with, within three hours.',
  access,
  sensitive: false,
  params: ImportPath,
  answers: { 200: signedAnswer },
  problems,
  handle: async ({ store, blobs }, { params: { importId }, identity }) => {
    const file = await awaitedFile({ store }, identity, importId);
    if (isLeft(file)) return file.left;
    return answerSignedFile(blobs, file.right, fileProblems);
  },
});
