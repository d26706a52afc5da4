/**
 * Uploads of artifacts: one signed request, or one for each part of a larger one. An upload in parts is found again by its key, so a runner that
 * retries goes on with the parts that are missing, whichever copy of the service answers.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ArtifactDefinition } from '../../../domain/workflow/artifact/state';
import { limits } from '../../../domain/workflow/limits';
import type { ArtifactUpload } from '../../../domain/workflow/protocol/runner';
import type { BlobStore, PartTag, Upload, UploadedPart } from '../../../infra/ports/blob-store';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { artifactProblem } from '../../../infra/server/workflow/artifacts';
import { artifactProblems } from '../../../infra/server/workflow/problems';

type Answer<Value> = Promise<Either<Problem, Value>>;

/** 5 GiB at a megabit per second take twelve hours. */
export const uploadSeconds = 12 * 3_600;
const contentType = 'application/octet-stream';
const partBytes = limits.artifactPartBytes;

const hasParts = ({ sizeBytes }: ArtifactDefinition): boolean => sizeBytes > partBytes;
const partCount = ({ sizeBytes }: ArtifactDefinition): number => Math.ceil(sizeBytes / partBytes);
const partSize = ({ sizeBytes }: ArtifactDefinition, part: number): number =>
  Math.min(partBytes, sizeBytes - (part - 1) * partBytes);

type BlobRefusal = Parameters<typeof problemOf<keyof typeof artifactProblems>>[0];
const blobProblem = (refused: unknown): Either<Problem, never> =>
  left(problemOf(refused as BlobRefusal, artifactProblems));

/** Several that begin at once agree on the oldest. */
const findUpload = async (blobs: BlobStore, key: string): Answer<Upload | undefined> => {
  const found = await blobs.uploads(key);
  return isLeft(found) ? blobProblem(found.left) : right(found.right[0]);
};

const findOrBegin = async (blobs: BlobStore, key: string): Answer<Upload> => {
  const found = await findUpload(blobs, key);
  if (isLeft(found)) return found;
  if (found.right !== undefined) return right(found.right);
  const begun = await blobs.beginUpload({ key, contentType });
  if (isLeft(begun)) return blobProblem(begun.left);
  const oldest = await findUpload(blobs, key);
  return isLeft(oldest) ? oldest : right(oldest.right ?? begun.right);
};

/** Those of the length that they must have. There are fewer than 1,000. */
const storedParts = async (
  blobs: BlobStore,
  definition: ArtifactDefinition,
  upload: Upload,
): Answer<ReadonlyMap<number, UploadedPart>> => {
  const page = await blobs.parts(upload);
  if (isLeft(page)) return blobProblem(page.left);
  const whole = page.right.parts.filter(({ part, size }) => size === partSize(definition, part));
  return right(new Map(whole.map((stored) => [stored.part, stored])));
};

type SignedUpload = Pick<ArtifactUpload, 'partBytes' | 'requests'>;

const signWhole = async (
  blobs: BlobStore,
  { storageKey, sizeBytes, checksum }: ArtifactDefinition,
): Answer<SignedUpload> => {
  const sha256 = checksum.slice('sha256:'.length);
  const signed = await blobs.signPut({ key: storageKey, size: sizeBytes, sha256, contentType, seconds: uploadSeconds });
  if (isLeft(signed)) return blobProblem(signed.left);
  const { url, headers } = signed.right;
  return right({ partBytes: null, requests: [{ url, headers, part: null }] });
};

const signParts = async (blobs: BlobStore, definition: ArtifactDefinition): Answer<SignedUpload> => {
  const upload = await findOrBegin(blobs, definition.storageKey);
  if (isLeft(upload)) return upload;
  const stored = await storedParts(blobs, definition, upload.right);
  if (isLeft(stored)) return stored;
  const requests: SignedUpload['requests'][number][] = [];
  for (let part = 1; part <= partCount(definition); part += 1) {
    if (stored.right.has(part)) continue;
    const size = partSize(definition, part);
    const signed = await blobs.signPart({ upload: upload.right, part, size, seconds: uploadSeconds });
    if (isLeft(signed)) return blobProblem(signed.left);
    const { url, headers } = signed.right;
    requests.push({ url, headers, part });
  }
  return right({ partBytes, requests });
};

/** Requests for what is not stored yet. */
export const signUpload = (blobs: BlobStore, definition: ArtifactDefinition): Answer<SignedUpload> =>
  hasParts(definition) ? signParts(blobs, definition) : signWhole(blobs, definition);

export const abortUploads = async (blobs: BlobStore, key: string): Answer<void> => {
  const pending = await blobs.uploads(key);
  if (isLeft(pending)) return blobProblem(pending.left);
  for (const upload of pending.right) {
    const aborted = await blobs.abortUpload(upload);
    if (isLeft(aborted)) return blobProblem(aborted.left);
  }
  return right(undefined);
};

/** Makes one object of the parts. One that is complete already stays. */
export const completeUpload = async (blobs: BlobStore, definition: ArtifactDefinition): Answer<void> => {
  if (!hasParts(definition)) return right(undefined);
  const upload = await findUpload(blobs, definition.storageKey);
  if (isLeft(upload)) return upload;
  // It was completed before, or never begun, which shows when the object is looked at.
  if (upload.right === undefined) return right(undefined);
  const stored = await storedParts(blobs, definition, upload.right);
  if (isLeft(stored)) return stored;
  const tags: PartTag[] = [];
  for (let part = 1; part <= partCount(definition); part += 1) {
    const found = stored.right.get(part);
    if (found === undefined)
      return left(artifactProblem('artifact-incomplete', `Part ${part} is not uploaded. Announce the artifact again.`));
    tags.push({ part, etag: found.etag });
  }
  const completed = await blobs.completeUpload(upload.right, tags);
  // After a lost answer it is complete, or another completed it.
  if (isLeft(completed) && completed.left.code !== 'upload-unknown') return blobProblem(completed.left);
  return abortUploads(blobs, definition.storageKey);
};
