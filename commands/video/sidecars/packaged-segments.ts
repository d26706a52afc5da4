/** Writes segments of a packaged track to one file on this machine, decrypted where the video is protected: its source may be removed by now. */

import { createDecipheriv } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deliveredPrefix } from '../../../domain/video/keys';
import type { PackagedTrack } from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';
import { wholeOf } from '../../kernel/work-queue/object-bytes';
import { defer } from '../../kernel/work-queue/recorded-job';
import { generationKey, generationOf, type MediaJob, type StepFailure } from '../processing/step-run';
import type { TrackDescription } from '../processing/stored-descriptions';
import type { ContentKey } from '../protection/content-keys';

/** In seconds of the film. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface StoredFile {
  readonly name: string;
  /** Undefined: it is not encrypted. */
  readonly vector: string | undefined;
}

/** The last one reaches to the end, whatever time is requested. */
const segmentsIn = ({ segments, timescale }: PackagedTrack, { from, to }: Span): readonly number[] => {
  const last = segments.length - 1;
  return [...segments.keys()].filter((index) => {
    const { startTicks = 0, durationTicks = 0 } = segments[index] ?? {};
    const begin = startTicks / timescale;
    const end = index === last ? Number.POSITIVE_INFINITY : (startTicks + durationTicks) / timescale;
    return begin <= to && end > from;
  });
};

interface StoredSpan {
  readonly files: readonly StoredFile[];
  /** In seconds of the film. */
  readonly begin: number;
}

const storedSpan = ({ track, protection }: TrackDescription, span: Span): StoredSpan => {
  const stored = protection?.hls.track ?? track;
  const chosen = segmentsIn(stored, span).flatMap((index) => {
    const segment = stored.segments[index];
    if (segment === undefined) return [];
    const { name, startTicks } = segment;
    return [{ name, startTicks, vector: protection?.hls.initializationVectors[index] }];
  });
  return {
    files: [{ name: stored.init.name, vector: undefined }, ...chosen],
    begin: (chosen[0]?.startTicks ?? 0) / stored.timescale,
  };
};

const decrypted = (bytes: Buffer, vector: string, { bytes: key }: ContentKey): Buffer => {
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(vector, 'hex'));
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
};

const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC';

/** Answers at which second of the film the first of them begins. */
export const writeSegments = async (
  job: MediaJob,
  description: TrackDescription,
  { path, ...span }: Span & { readonly path: string },
): Promise<Either<StepFailure, number>> => {
  const { files, begin } = storedSpan(description, span);
  const key = description.protection === null ? right(undefined) : await generationKey(job);
  if (isLeft(key)) return key;
  const prefix = deliveredPrefix(generationOf(job), 'segments');
  const file = await open(path, 'wx', 0o644);
  try {
    for (const { name, vector } of files) {
      const stored = await job.deps.blobs.get({ key: `${prefix}${name}`, signal: job.run.signal });
      if (isLeft(stored)) return again(stored.left.detail);
      const bytes = await wholeOf(stored.right.body);
      await file.writeFile(
        vector === undefined || key.right === undefined ? bytes : decrypted(bytes, vector, key.right),
      );
    }
    return right(begin);
  } catch (error) {
    if (isFull(error)) return defer('The disk of the worker has no room for the video now.');
    throw error;
  } finally {
    key.right?.bytes.fill(0);
    await file.close();
  }
};
