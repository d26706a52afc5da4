/** Descriptions of sources and tracks, as JSON in object storage under their SHA-256, and the objects that players read. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DeliveredFolder, deliveredPrefix, descriptionKey, type Generation } from '../../../domain/video/keys';
import type { EncryptedTrack, PackagedTrack, SourceDescription } from '../../../packages/video-media/src';
import { again, type JobFailure, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { wholeOf } from '../../kernel/work-queue/object-bytes';

import { generationOf, type MediaJob, type StepRun } from './step-run';

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const put = async (
  { deps: { blobs }, run: { signal } }: StepRun,
  key: string,
  { body, contentType }: { readonly body: Buffer; readonly contentType: string },
): Promise<Either<JobFailure, string>> => {
  const sha256 = digestOf(body);
  const stored = await blobs.put({ key, body, size: body.length, sha256, contentType, signal });
  return isLeft(stored) ? again(stored.left.detail) : right(sha256);
};

/** How players read a track of a protected video: whole segments for HLS, samples for DASH. */
export interface ProtectedTrack {
  readonly hls: EncryptedTrack;
  readonly dash: PackagedTrack;
}

/** What workers write is read by workers of the same version or a later one; its fields are only added to. */
export type Description =
  | { readonly kind: 'source'; readonly source: SourceDescription }
  | { readonly kind: 'track'; readonly track: PackagedTrack; readonly protection: ProtectedTrack | null };

/** Answers the SHA-256 that an event names. */
export const storeDescription = async (
  step: StepRun,
  description: Description,
): Promise<Either<JobFailure, string>> => {
  const body = Buffer.from(JSON.stringify(description));
  return put(step, descriptionKey(generationOf(step), digestOf(body)), { body, contentType: 'application/json' });
};

interface DescriptionSource extends Pick<WorkerAdapters, 'blobs'> {
  readonly signal: AbortSignal;
}

export const readDescription = async (
  { blobs, signal }: DescriptionSource,
  generation: Generation,
  sha256: string,
): Promise<Either<JobFailure, Description>> => {
  const found = await blobs.get({ key: descriptionKey(generation, sha256), signal });
  if (isLeft(found)) return again(found.left.detail);
  const bytes = await wholeOf(found.right.body);
  if (digestOf(bytes) !== sha256) return left({ kind: 'permanent', reason: 'A stored description is damaged.' });
  return right(JSON.parse(bytes.toString('utf8')) as Description);
};

const sourceOf = ({ deps: { blobs }, run: { signal } }: MediaJob): DescriptionSource => ({ blobs, signal });

export type TrackDescription = Extract<Description, { kind: 'track' }>;

const otherKind: Either<JobFailure, never> = left({ kind: 'permanent', reason: 'A description is of another kind.' });

/** Of the step's video, once it is probed. */
export const readSourceDescription = async (step: StepRun): Promise<Either<JobFailure, SourceDescription>> => {
  const { probe } = step.state.facts;
  if (probe === undefined) return left({ kind: 'permanent', reason: 'The source is not examined.' });
  const read = await readDescription(sourceOf(step), generationOf(step), probe.descriptionSha256);
  if (isLeft(read)) return read;
  return read.right.kind === 'source' ? right(read.right.source) : otherKind;
};

export const readTrackDescription = async (
  step: MediaJob,
  sha256: string,
): Promise<Either<JobFailure, TrackDescription>> => {
  const read = await readDescription(sourceOf(step), generationOf(step), sha256);
  if (isLeft(read)) return read;
  return read.right.kind === 'track' ? right(read.right) : otherKind;
};

const contentTypes: { readonly [ending: string]: string } = {
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

/** Stores what players read. The ending of the name is of the type. */
export const storeDelivered = async (
  step: StepRun,
  folder: DeliveredFolder,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
): Promise<Either<JobFailure, string>> => {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const contentType = contentTypes[ending] ?? 'application/octet-stream';
  return put(step, deliveredPrefix(generationOf(step), folder) + name, { body: bytes, contentType });
};
