/** Answers of routes that sign uploads: which parts have arrived, and signed requests for one part or for the whole file. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, oneOf, record, text } from '../../../domain/kernel/codec';
import { type ProblemTable, problem, problemOf } from '../../../infra/server/http/problem';
import type { Answer } from '../../../infra/server/http/routing/route';
import { bytesOfPart, partBytes, partCount } from './file-parts';
import { contentType, type FileBlobs, pendingUpload, resumeUpload, type UploadedFile } from './file-upload';

/** Answers to refusals of the object store. Of keys, which are made of ids, each kind of file has its own. */
export const uploadProblems = {
  'file-incomplete': { status: 409, title: 'The file is not uploaded completely' },
  'upload-unknown': { status: 409, title: 'The upload no longer exists' },
  'upload-part-refused': { status: 409, title: 'A part of the file was replaced meanwhile' },
  'blob-too-large': { status: 413, title: 'The file is too large' },
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
  'blob-damaged': { status: 500, title: 'The file is damaged' },
} as const satisfies ProblemTable;

type UploadProblems = typeof uploadProblems & { readonly 'blob-key-refused': ProblemTable[string] };

/** At a megabit per second a gibibyte takes 2.4 hours. */
export const fileSeconds = 3 * 3_600;
/** At a megabit per second a part takes 67 seconds, beside two others. */
const partSeconds = 3_600;

const SignedUpload = record('SignedUpload', {
  method: oneOf('UploadMethod', ['PUT']),
  url: t.string,
  headers: t.record(t.string, t.string),
  expiresAt: Instant,
});
export const signedAnswer = {
  description: 'Send the bytes as the body of this request, with these headers and no others of the API.',
  body: SignedUpload,
};

export const PartSha256 = text('PartSha256', {
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
  examples: ['0'.repeat(64)],
});

export const answerArrivedParts = async (
  blobs: FileBlobs,
  file: UploadedFile,
  problems: UploadProblems,
): Promise<Answer> => {
  const arrived = await resumeUpload(blobs, file);
  return isLeft(arrived)
    ? problemOf(arrived.left, problems)
    : { status: 200, body: { partBytes, arrived: arrived.right } };
};

interface PartRequest {
  readonly part: number;
  readonly sha256: string | undefined;
}

export const answerSignedPart = async (
  blobs: FileBlobs,
  file: UploadedFile,
  { part, sha256 }: PartRequest,
  problems: UploadProblems,
): Promise<Answer> => {
  const size = bytesOfPart(file.size, part);
  if (size === undefined) return problem('not-found', `The file has ${partCount(file.size)} parts.`);
  const upload = await pendingUpload(blobs, file);
  if (isLeft(upload)) return problemOf(upload.left, problems);
  if (upload.right === undefined) return problem('not-found', 'The upload in parts has not been started.');
  const checksum = sha256 === undefined ? {} : { sha256 };
  const signed = await blobs.signPart({ upload: upload.right, part, size, ...checksum, seconds: partSeconds });
  return isLeft(signed) ? problemOf(signed.left, problems) : { status: 200, body: signed.right };
};

export const answerSignedFile = async (
  blobs: FileBlobs,
  file: UploadedFile & { readonly expected?: 'absent' },
  problems: UploadProblems,
): Promise<Answer> => {
  const signed = await blobs.signPut({ ...file, contentType, seconds: fileSeconds });
  return isLeft(signed) ? problemOf(signed.left, problems) : { status: 200, body: signed.right };
};
