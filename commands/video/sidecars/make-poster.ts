/** Makes the poster that an owner chose: a picture of the film at a time, or one that was uploaded. Neither needs the source. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deliveredPrefix, sidecarsOf, uploadedPictureKey } from '../../../domain/video/keys';
import { type PosterJob, posterQueue } from '../../../domain/video/make-sidecars-on-requested/process';
import type { SidecarCommand } from '../../../domain/video/sidecars/decider';
import type { PackagedRendition } from '../../../domain/video/video/state';
import { frameArguments, type PackagedTrack, pictureArguments, pictureTypeOf } from '../../../packages/video-media/src';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { wholeOf } from '../../kernel/work-queue/object-bytes';

import { inside, type ProgramSandbox, withPrograms } from '../processing/media-programs';
import { refuseVideo, type StepFailure } from '../processing/step-run';
import { readTrackDescription } from '../processing/stored-descriptions';
import { writeSegments } from './packaged-segments';
import { performSidecar, type SidecarRun } from './perform-sidecar';
import { storeSidecar } from './store-sidecar';

const files = { input: 'input', poster: 'poster.jpg' } as const;
const paths = { input: `${inside.directory}/${files.input}`, output: `${inside.directory}/${files.poster}` };

/** A segment of ten seconds at 4k, and the poster. */
const roomBytes = 268_435_456;

type Made = Promise<Either<StepFailure, Buffer>>;

const readPoster = async (sandbox: ProgramSandbox): Made => {
  const path = await sandbox.output(files.poster);
  return path === undefined ? again('The program left no picture.') : right(await readFile(path));
};

/** The largest, which was made of the source or is the source. */
const largestOf = (packaged: Iterable<PackagedRendition>): PackagedRendition | undefined =>
  [...packaged].toSorted((one, other) => other.bitrateKbps - one.bitrateKbps)[0];

const endOf = ({ segments, timescale }: PackagedTrack): number => {
  const { startTicks = 0, durationTicks = 0 } = segments.at(-1) ?? {};
  return Math.floor(((startTicks + durationTicks) * 1_000) / timescale);
};

/** After its end, a film shows its last picture. */
const frameAt = async ({ media, played }: SidecarRun<PosterJob>, wanted: number): Made => {
  const rendition = largestOf(played.facts.packaged.values());
  if (rendition === undefined) return refuseVideo('NOT_PACKAGED', 'Nothing of the video is processed yet.');
  const described = await readTrackDescription(media, rendition.trackSha256);
  if (isLeft(described)) return described;
  const positionMilliseconds = Math.min(wanted, endOf(described.right.track));
  const seconds = positionMilliseconds / 1_000;
  return withPrograms(media, {
    inputs: [],
    roomBytes,
    use: async (sandbox) => {
      const path = join(sandbox.directory, files.input);
      const written = await writeSegments(media, described.right, { path, from: seconds, to: seconds });
      if (isLeft(written)) return written;
      const args = frameArguments({ ...paths, track: described.right.track, seconds: seconds - written.right });
      const drawn = await sandbox.run({ program: 'ffmpeg', args });
      return isLeft(drawn) ? drawn : readPoster(sandbox);
    },
  });
};

const unreadable = refuseVideo('PICTURE_UNREADABLE', 'The picture cannot be read: save it again, and upload that.');

const reencoded = async ({ media, payload }: SidecarRun<PosterJob>, pictureSha256: string): Made => {
  const { deps, tenant, run } = media;
  const key = uploadedPictureKey(tenant, payload.videoId, pictureSha256);
  const stored = await deps.blobs.get({ key, signal: run.signal });
  if (isLeft(stored)) return again(stored.left.detail);
  const bytes = await wholeOf(stored.right.body);
  const type = pictureTypeOf(bytes);
  if (type === undefined) return unreadable;
  return withPrograms(media, {
    inputs: [],
    roomBytes,
    use: async (sandbox) => {
      await writeFile(join(sandbox.directory, files.input), bytes, { flag: 'wx', mode: 0o644 });
      const drawn = await sandbox.run({ program: 'ffmpeg', args: pictureArguments({ ...paths, type }) });
      if (!isLeft(drawn)) return readPoster(sandbox);
      return drawn.left.kind === 'refused' ? unreadable : drawn;
    },
  });
};

const make = async (poster: SidecarRun<PosterJob>): Promise<Either<StepFailure, SidecarCommand>> => {
  const { media, payload, sidecars } = poster;
  const { deps, tenant } = media;
  const { videoId, posterId } = payload;
  const { positionMilliseconds = null, pictureSha256 = null } = sidecars.pendingPoster?.source ?? {};
  const made =
    pictureSha256 === null ? await frameAt(poster, positionMilliseconds ?? 0) : await reencoded(poster, pictureSha256);
  if (isLeft(made)) return made;
  const named = { tenant, videoId };
  const stored = await storeSidecar(deps, named, {
    keyOf: (sha256) => `${deliveredPrefix(sidecarsOf(named), 'thumbnails')}${sha256}.jpg`,
    bytes: made.right,
    contentType: 'image/jpeg',
  });
  if (isLeft(stored)) return again(stored.left.detail);
  return right({ type: 'RecordPoster', videoId, posterId, sha256: stored.right });
};

export const makePoster = (deps: WorkerAdapters): PerformJob<PosterJob> =>
  performSidecar(deps, {
    actor: `system:work.${posterQueue.name}`,
    isDue: ({ pendingPoster }, { posterId }) => pendingPoster?.posterId === posterId,
    perform: make,
    defer: ({ videoId, posterId }, reason) => ({ type: 'DeferPoster', videoId, posterId, reason }),
    fail: ({ videoId, posterId }, detail) => ({ type: 'RefusePoster', videoId, posterId, detail }),
  });
