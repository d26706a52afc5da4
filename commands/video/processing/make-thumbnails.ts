/** Makes the thumbnails that players show while seeking, in sheets with their WebVTT, and the picture that is shown before the film plays. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import {
  choosePoster,
  planThumbnails,
  posterArguments,
  sheetName,
  thumbnailArguments,
  thumbnailTrack,
} from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';

import { inside, type MediaSandbox, withSource } from './media-programs';
import { openSource } from './probe-source';
import type { PerformStep, StepFailure, StepRun } from './step-run';
import { readSourceDescription, storeDelivered } from './stored-descriptions';

const outputs = { candidates: 'candidates', poster: 'poster.jpg' } as const;
const roomBytes = 268_435_456;
const threads = 1;

interface StoredPicture {
  readonly sha256: string;
  readonly name: string;
}

const storeFile = async (
  step: StepRun,
  bytes: Buffer,
  ending: 'jpg' | 'vtt',
): Promise<Either<StepFailure, StoredPicture>> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${sha256}.${ending}`;
  const stored = await storeDelivered(step, 'thumbnails', { name, bytes });
  return isLeft(stored) ? stored : right({ sha256, name });
};

const storeOutput = async (
  step: StepRun,
  sandbox: MediaSandbox,
  name: string,
): Promise<Either<StepFailure, StoredPicture>> => {
  const path = await sandbox.output(name);
  return path === undefined ? again('The program left no pictures.') : storeFile(step, await readFile(path), 'jpg');
};

const storeSheets = async (
  step: StepRun,
  sandbox: MediaSandbox,
  count: number,
): Promise<Either<StepFailure, readonly string[]>> => {
  const names: string[] = [];
  for (let sheet = 1; sheet <= count; sheet += 1) {
    const stored = await storeOutput(step, sandbox, sheetName(sheet));
    if (isLeft(stored)) return stored;
    names.push(stored.right.name);
  }
  return right(names);
};

export const makeThumbnails =
  (copies: LocalCopies): PerformStep =>
  async (step) => {
    const described = await readSourceDescription(step);
    if (isLeft(described)) return described;
    const { video, durationSeconds } = described.right;
    const plan = planThumbnails(described.right);
    return withSource(step, copies, {
      roomBytes,
      use: async (sandbox) => {
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        step.run.reportProgress({ fraction: 0, detail: 'Thumbnails are made.' });
        const job = { source: opened.right, video, plan, threads };
        const { directory } = inside;
        const made = await sandbox.run({
          program: 'ffmpeg',
          args: thumbnailArguments({ ...job, directory, candidates: `${directory}/${outputs.candidates}` }),
        });
        if (isLeft(made)) return made;
        const candidates = await sandbox.output(outputs.candidates);
        if (candidates === undefined) return again('The program left no candidates for a poster.');
        const candidate = choosePoster(await readFile(candidates));
        const output = `${directory}/${outputs.poster}`;
        const drawn = await sandbox.run({ program: 'ffmpeg', args: posterArguments({ ...job, candidate, output }) });
        if (isLeft(drawn)) return drawn;
        const poster = await storeOutput(step, sandbox, outputs.poster);
        if (isLeft(poster)) return poster;
        const sheets = await storeSheets(step, sandbox, plan.sheetCount);
        if (isLeft(sheets)) return sheets;
        const text = thumbnailTrack({ plan, durationSeconds, sheets: sheets.right });
        const track = await storeFile(step, Buffer.from(text), 'vtt');
        if (isLeft(track)) return track;
        const { videoId, generation } = step.job.payload;
        const ready = { thumbnailsSha256: track.right.sha256, posterSha256: poster.right.sha256 };
        return right([{ type: 'VideoSpriteReady', data: { videoId, generation, ...ready } }]);
      },
    });
  };
