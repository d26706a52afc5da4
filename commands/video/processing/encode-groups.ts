/** Encodes renditions in groups of segments: planned once, each group a job, joined when all are there. */

import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type EncodingCommand, encoding } from '../../../domain/video/encoding/decider';
import { encodingIdOf, encodingStream } from '../../../domain/video/encoding/events';
import type { PlannedEncoding } from '../../../domain/video/encoding/state';
import type { VideoFact } from '../../../domain/video/video/decider';
import { renditionLabel } from '../../../domain/video/video/state';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import {
  type EncodingProgress,
  encodeArguments,
  type FrameGrid,
  frameGrid,
  joinGroups,
  openByteSource,
  type Rendition as PlannedRendition,
  packageGroup,
  planLadder,
  readTrack,
  type SourceDescription,
  type VideoCodec,
} from '../../../packages/video-media/src';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { again, type JobFailure } from '../../kernel/work-queue/job-handler';

import { inside, type MediaSandbox, withSource } from './media-programs';
import { averageKbps, describeTrack, type StoredTrack, storingSegments, unpackaged } from './package-tracks';
import { openSource } from './probe-source';
import type { PerformStep, StepEnd, StepFailure, StepRun } from './step-run';
import { readSourceDescription, readTrackDescription, storeDescription } from './stored-descriptions';

const notDue: Awaited<StepEnd> = right([]);

interface EncodingPlan {
  readonly source: SourceDescription;
  readonly codec: VideoCodec;
  readonly grid: FrameGrid;
  /** Smallest first. */
  readonly renditions: readonly [PlannedRendition, ...PlannedRendition[]];
}

/** The same for all jobs of the encoding: it follows from the description of the source. */
const planOf = async (step: StepRun): Promise<Either<JobFailure, EncodingPlan>> => {
  const source = await readSourceDescription(step);
  if (isLeft(source)) return source;
  const { renditions } = step.job.payload.step;
  const codec = renditions[0]?.codec ?? 'h264';
  const wanted = new Set<string>(renditions.map(({ resolution }) => resolution));
  const [smallest, ...larger] = planLadder(source.right).filter(({ label }) => wanted.has(label));
  if (smallest === undefined) return left({ kind: 'permanent', reason: 'The ladder has no such rendition.' });
  const grid = frameGrid(source.right.video.timing, smallest.frameRate);
  return right({ source: source.right, codec, grid, renditions: [smallest, ...larger] });
};

const streamOf = ({ tenant, job: { payload } }: StepRun) =>
  encodingStream(tenant, encodingIdOf(payload.videoId, payload.generation, payload.step.renditions));

const send = async (step: StepRun, command: EncodingCommand): Promise<Either<JobFailure, undefined>> => {
  const { deps, tenant, job } = step;
  const stream = streamOf(step);
  const handled = await handle(deps, encoding, {
    ...{ stream, command, tenant, actor: 'system:work.video-transcoding', ...job.cause },
    commandId: derivedId('video-encoding', stream, command.type, 'group' in command ? command.group : '', job.token),
  });
  return isLeft(handled) ? again(handled.left.detail) : right(undefined);
};

const loadEncoding = async (step: StepRun): Promise<Either<JobFailure, PlannedEncoding>> => {
  const loaded = await loadStream(step.deps, encoding, streamOf(step));
  if (isLeft(loaded)) return again(loaded.left.detail);
  return loaded.right.kind === 'planned' ? right(loaded.right) : again('The encoding is not planned yet.');
};

export const planEncoding: PerformStep = async (step) => {
  const plan = await planOf(step);
  if (isLeft(plan)) return plan;
  const { videoId, generation, step: named } = step.job.payload;
  const sent = await send(step, {
    ...{ type: 'PlanEncoding', videoId, generation, renditions: named.renditions },
    groupCount: plan.right.grid.groups.length,
  });
  return isLeft(sent) ? sent : notDue;
};

const reportEncoding = ({ job: { payload }, run }: StepRun, frames: number) => {
  const names = payload.step.renditions.map(renditionLabel).join(' and ');
  const detail = `${names}: group ${(payload.group ?? 0) + 1} is encoded.`;
  return (progress: EncodingProgress): void =>
    run.reportProgress({ fraction: Math.min(1, progress.frames / Math.max(1, frames)), detail });
};

const outputName = ({ label }: PlannedRendition): string => `${label}.mp4`;

const packageOutput = async (
  step: StepRun,
  sandbox: MediaSandbox,
  { grid, group, rendition }: { grid: FrameGrid; group: FrameGrid['groups'][number]; rendition: PlannedRendition },
): Promise<Either<StepFailure, StoredTrack>> => {
  const path = await sandbox.output(outputName(rendition));
  if (path === undefined) return again('The encoder left nothing.');
  const source = await openByteSource(path);
  try {
    const track = await readTrack(source);
    if (isLeft(track)) return unpackaged(step, track.left);
    return await storingSegments(step, sandbox, async (store) => {
      const packaged = await packageGroup({ track: track.right, source, grid, group, rendition, store });
      return isLeft(packaged) ? unpackaged(step, packaged.left) : packaged;
    });
  } finally {
    await source.close();
  }
};

/** What is encoded at most: twice the peak, and a little for short groups. */
const roomFor = ({ renditions, grid }: EncodingPlan, frames: number): number => {
  const seconds = (frames * grid.frameRate.denominator) / grid.frameRate.numerator;
  const kbps = renditions.reduce((sum, { peakKbps }) => sum + peakKbps, 0);
  return Math.ceil(kbps * 125 * seconds * 2) + 268_435_456;
};

/** Of one process: the machine has others, too. */
const threads = 2;

export const encodeGroup =
  (copies: LocalCopies): PerformStep =>
  async (step): StepEnd => {
    const { group: index = 0, videoId, generation } = step.job.payload;
    const loaded = await loadEncoding(step);
    if (isLeft(loaded)) return loaded;
    if (loaded.right.groups.has(index)) return notDue;
    const plan = await planOf(step);
    if (isLeft(plan)) return plan;
    const { grid, renditions, source, codec } = plan.right;
    const group = grid.groups[index];
    if (group === undefined) return left({ kind: 'permanent', reason: 'The encoding has no such group.' });
    return withSource(step, copies, {
      roomBytes: roomFor(plan.right, group.count),
      use: async (sandbox) => {
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        const output = (rendition: PlannedRendition) => ({
          rendition,
          path: `${inside.directory}/${outputName(rendition)}`,
        });
        const [smallest, ...larger] = renditions;
        const ran = await sandbox.run({
          program: 'ffmpeg',
          args: encodeArguments({
            ...{ source: opened.right, video: source.video, grid, group, codec, threads },
            outputs: [output(smallest), ...larger.map(output)],
          }),
          onProgress: reportEncoding(step, group.count),
        });
        if (isLeft(ran)) return ran;
        const tracks: string[] = [];
        for (const rendition of renditions) {
          const packaged = await packageOutput(step, sandbox, { grid, group, rendition });
          if (isLeft(packaged)) return packaged;
          const stored = await storeDescription(step, { kind: 'track', ...packaged.right });
          if (isLeft(stored)) return stored;
          tracks.push(stored.right);
        }
        const sent = await send(step, { type: 'RecordGroup', videoId, generation, group: index, tracks });
        return isLeft(sent) ? sent : notDue;
      },
    });
  };

/** A generation is protected as a whole, or not at all. */
const joinStored = (groups: readonly StoredTrack[]): Either<string, StoredTrack> => {
  const track = joinGroups(groups.map((group) => group.track));
  if (isLeft(track)) return track;
  const sealed = groups.flatMap(({ protection }) => (protection === null ? [] : [protection]));
  if (sealed.length === 0) return right({ track: track.right, protection: null });
  const hls = joinGroups(sealed.map((one) => one.hls.track));
  if (isLeft(hls)) return hls;
  const dash = joinGroups(sealed.map((one) => one.dash));
  if (isLeft(dash)) return dash;
  const initializationVectors = sealed.flatMap((one) => one.hls.initializationVectors);
  return right({
    track: track.right,
    protection: { hls: { track: hls.right, initializationVectors }, dash: dash.right },
  });
};

const joinRendition = async (
  step: StepRun,
  { encoded, position }: { readonly encoded: PlannedEncoding; readonly position: number },
): Promise<Either<StepFailure, StoredTrack>> => {
  const groups: StoredTrack[] = [];
  for (let group = 0; group < encoded.groupCount; group += 1) {
    const sha256 = encoded.groups.get(group)?.[position];
    if (sha256 === undefined) return again('Groups of the encoding are missing.');
    const track = await readTrackDescription(step, sha256);
    if (isLeft(track)) return track;
    groups.push(track.right);
  }
  const joined = joinStored(groups);
  return isRight(joined) ? joined : left({ kind: 'permanent', reason: joined.left });
};

export const joinEncoding: PerformStep = async (step): StepEnd => {
  const encoded = await loadEncoding(step);
  if (isLeft(encoded)) return encoded;
  const { videoId, generation, renditions } = encoded.right;
  const facts: VideoFact[] = [];
  for (const [position, rendition] of renditions.entries()) {
    const track = await joinRendition(step, { encoded: encoded.right, position });
    if (isLeft(track)) return track;
    const described = await describeTrack(step, track.right);
    if (isLeft(described)) return described;
    facts.push({
      type: 'RenditionPackaged',
      data: { ...{ videoId, generation, rendition, bitrateKbps: averageKbps(track.right.track) }, ...described.right },
    });
  }
  return right(facts);
};
