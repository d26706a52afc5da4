/** Encodes the sound of a film once, whole: measured, brought to one loudness, cut where the pictures' segments begin. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import {
  type EncodingProgress,
  encodeAudioArguments,
  type FrameGrid,
  frameGrid,
  mainAudio,
  measureLoudnessArguments,
  openByteSource,
  packageEncodedAudio,
  planGain,
  planLadder,
  readLoudness,
  readTrack,
} from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';

import { inside, type MediaSandbox, withSource } from './media-programs';
import { describeTrack, type StoredTrack, storingSegments, unpackaged } from './package-tracks';
import { openSource } from './probe-source';
import type { PerformStep, StepFailure, StepRun } from './step-run';
import { readSourceDescription } from './stored-descriptions';

const outputName = 'audio.mp4';

/** At 128 kbit/s and with headers of fragments; twice that. */
const bytesPerSecond = 40_000;
const moreBytes = 67_108_864;

/** A pass is a half of the work. */
const reportPass =
  ({ run }: StepRun, { pass, seconds }: { readonly pass: 0 | 1; readonly seconds: number }) =>
  (progress: EncodingProgress): void => {
    const fraction = (pass + Math.min(1, progress.seconds / Math.max(1, seconds))) / 2;
    run.reportProgress({ fraction, detail: pass === 0 ? 'The loudness is measured.' : 'The sound is encoded.' });
  };

const packageSound = async (
  step: StepRun,
  sandbox: MediaSandbox,
  grid: FrameGrid,
): Promise<Either<StepFailure, StoredTrack>> => {
  const path = await sandbox.output(outputName);
  if (path === undefined) return again('The encoder left nothing.');
  const source = await openByteSource(path);
  try {
    const track = await readTrack(source);
    if (isLeft(track)) return unpackaged(step, track.left);
    return await storingSegments(step, sandbox, async (store) => {
      const packaged = await packageEncodedAudio({ grid, track: track.right, source, store });
      return isLeft(packaged) ? unpackaged(step, packaged.left) : packaged;
    });
  } finally {
    await source.close();
  }
};

export const encodeSound =
  (copies: LocalCopies): PerformStep =>
  async (step) => {
    const { videoId, generation } = step.job.payload;
    const described = await readSourceDescription(step);
    if (isLeft(described)) return described;
    const audio = mainAudio(described.right);
    const [rendition] = planLadder(described.right);
    if (audio === undefined || rendition === undefined)
      return left({ kind: 'permanent', reason: 'There is no sound.' });
    const { timing } = described.right.video;
    const grid = frameGrid(timing, rendition.frameRate);
    const seconds = described.right.durationSeconds;
    return withSource(step, copies, {
      roomBytes: Math.ceil(seconds * bytesPerSecond) + moreBytes,
      use: async (sandbox) => {
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        const sound = { source: opened.right, audio, timing };
        const measured = await sandbox.run({
          ...{ program: 'ffmpeg', args: measureLoudnessArguments(sound) },
          onProgress: reportPass(step, { pass: 0, seconds }),
        });
        if (isLeft(measured)) return measured;
        const gain = planGain(readLoudness(measured.right));
        const encoded = await sandbox.run({
          program: 'ffmpeg',
          args: encodeAudioArguments({ ...sound, grid, gain, output: `${inside.directory}/${outputName}` }),
          onProgress: reportPass(step, { pass: 1, seconds }),
        });
        if (isLeft(encoded)) return encoded;
        const track = await packageSound(step, sandbox, grid);
        if (isLeft(track)) return track;
        const stored = await describeTrack(step, track.right);
        if (isLeft(stored)) return stored;
        return right([{ type: 'VideoAudioReady', data: { videoId, generation, ...stored.right } }]);
      },
    });
  };
