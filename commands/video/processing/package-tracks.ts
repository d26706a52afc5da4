/** Packages what a program left as one track: its segments go to object storage, its description is what an event names. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  encryptSamples,
  encryptWholeSegments,
  openByteSource,
  type PackagedTrack,
  packageTrack,
  readTrack,
  type StoreFile,
} from '../../../packages/video-media/src';
import type { JobFailure } from '../../kernel/work-queue/job-handler';
import { type ContentKey, keyIdBytes } from '../protection/content-keys';
import type { MediaSandbox } from './media-programs';
import { generationKey, refuseVideo, type StepFailure, type StepRun } from './step-run';
import { type ProtectedTrack, storeDelivered, storeDescription } from './stored-descriptions';

interface TrackFile {
  /** Of a fragmented MP4 with one track that a program left. */
  readonly name: string;
  /** Where segments begin, in seconds of the film. */
  readonly boundaries: readonly number[];
  /** At which time of the source the film begins, in seconds. */
  readonly originSeconds: number;
}

/** Carries a failure through the packager, which knows nothing of stores. */
class StoreFailure extends Error {
  readonly failure: JobFailure;

  constructor(failure: JobFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

const nothingLeft: Either<StepFailure, never> = refuseVideo(
  'CORRUPT',
  'The video cannot be decoded: it may be damaged. Export it again, and upload that.',
);

/** A sentence of the packager is for the log; what helps its owner is another export. */
export const unpackaged = ({ deps, job }: StepRun, reason: string): Either<StepFailure, never> => {
  deps.log.warn({ reason, key: job.key }, 'a track of a video could not be packaged');
  return nothingLeft;
};

/** As it was packaged; for protected videos, also how players read it: nothing of the clear segments is stored then. */
export interface StoredTrack {
  readonly track: PackagedTrack;
  readonly protection: ProtectedTrack | null;
}

const storingDelivered =
  (step: StepRun): StoreFile =>
  async (name, bytes) => {
    const stored = await storeDelivered(step, 'segments', { name, bytes });
    if (isLeft(stored)) throw new StoreFailure(stored.left);
  };

/** Clear segments stay on this machine, in the sandbox's directory, and go with it. */
const encrypted = async (
  step: StepRun,
  {
    sandbox,
    key,
    packaging,
  }: { readonly sandbox: MediaSandbox; readonly key: ContentKey; readonly packaging: Packaging },
): Promise<Either<StepFailure, StoredTrack>> => {
  const clear = await sandbox.openDirectory('clear');
  const pathOf = (name: string): string => join(clear, name);
  const packaged = await packaging((name, bytes) => writeFile(pathOf(name), bytes));
  if (isLeft(packaged)) return packaged;
  const track = packaged.right;
  const source = { track, read: (name: string) => readFile(pathOf(name)), store: storingDelivered(step) };
  const hls = await encryptWholeSegments(source, key.bytes);
  if (isLeft(hls)) return unpackaged(step, hls.left);
  const dash = await encryptSamples(source, { keyId: keyIdBytes(key), key: key.bytes });
  return isLeft(dash)
    ? unpackaged(step, dash.left)
    : right({ track, protection: { hls: hls.right, dash: dash.right } });
};

export type Packaging = (store: StoreFile) => Promise<Either<StepFailure, PackagedTrack>>;

/** Segments that the packager makes go to object storage, encrypted where the video is protected. */
export const storingSegments = async (
  step: StepRun,
  sandbox: MediaSandbox,
  packaging: Packaging,
): Promise<Either<StepFailure, StoredTrack>> => {
  const key = await generationKey(step);
  if (isLeft(key)) return key;
  try {
    if (key.right !== undefined) return await encrypted(step, { sandbox, key: key.right, packaging });
    const packaged = await packaging(storingDelivered(step));
    return isLeft(packaged) ? packaged : right({ track: packaged.right, protection: null });
  } catch (error) {
    if (error instanceof StoreFailure) return left(error.failure);
    throw error;
  } finally {
    key.right?.bytes.fill(0);
  }
};

export const packageFile = async (
  step: StepRun,
  sandbox: MediaSandbox,
  { name, boundaries, originSeconds }: TrackFile,
): Promise<Either<StepFailure, StoredTrack>> => {
  const path = await sandbox.output(name);
  if (path === undefined) return nothingLeft;
  const source = await openByteSource(path);
  try {
    const track = await readTrack(source);
    if (isLeft(track)) return unpackaged(step, track.left);
    return await storingSegments(step, sandbox, async (store) => {
      const packaged = await packageTrack({
        ...{ track: track.right, source, boundaries, store },
        originTicks: Math.round(originSeconds * track.right.timescale),
      });
      return isLeft(packaged) ? unpackaged(step, packaged.left) : packaged;
    });
  } finally {
    await source.close();
  }
};

interface DescribedTrack {
  readonly trackSha256: string;
  readonly sizeBytes: number;
}

export const describeTrack = async (
  step: StepRun,
  stored: StoredTrack,
): Promise<Either<JobFailure, DescribedTrack>> => {
  const description = await storeDescription(step, { kind: 'track', ...stored });
  if (isLeft(description)) return description;
  const { init, segments } = stored.track;
  const sizeBytes = segments.reduce((sum, { size }) => sum + size, init.size);
  return right({ trackSha256: description.right, sizeBytes });
};

export const averageKbps = ({ segments, timescale }: PackagedTrack): number => {
  const bytes = segments.reduce((sum, { size }) => sum + size, 0);
  const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
  return Math.max(1, Math.round((bytes * 8 * timescale) / Math.max(1, ticks) / 1_000));
};
