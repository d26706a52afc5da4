/** The text subtitles of a source become captions: text and times alone, one track each. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { CaptionTrack } from '../../../domain/video/video/events';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import {
  captionLabel,
  readEmbeddedCaptions,
  type SourceDescription,
  type SourceFile,
  subtitleArguments,
  writeCaptions,
} from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';

import { inside, type MediaSandbox, withSource } from './media-programs';
import { openSource } from './probe-source';
import type { PerformStep, StepFailure, StepRun } from './step-run';
import { readSourceDescription, storeDelivered } from './stored-descriptions';

const output = 'captions.vtt';
const roomBytes = 134_217_728;

interface EmbeddedTrack {
  readonly source: SourceFile;
  readonly description: SourceDescription;
  readonly subtitles: SourceDescription['subtitles'][number];
}

/** Undefined: nothing of it is readable. */
const extractTrack = async (
  step: StepRun,
  sandbox: MediaSandbox,
  { source, description, subtitles }: EmbeddedTrack,
): Promise<Either<StepFailure, CaptionTrack | undefined>> => {
  const { timing } = description.video;
  const args = subtitleArguments({ source, subtitles, timing, output: `${inside.directory}/${output}` });
  const ran = await sandbox.run({ program: 'ffmpeg', args });
  if (isLeft(ran)) return ran;
  const path = await sandbox.output(output);
  if (path === undefined) return again('The program left no captions.');
  const cues = readEmbeddedCaptions(await readFile(path, 'utf8'));
  if (cues.length === 0) return right(undefined);
  const bytes = Buffer.from(writeCaptions(cues));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const stored = await storeDelivered(step, 'captions', { name: `${sha256}.vtt`, bytes });
  if (isLeft(stored)) return stored;
  const language = subtitles.language ?? 'und';
  return right({ language, label: captionLabel(language, subtitles.title), sha256 });
};

export const extractCaptions =
  (copies: LocalCopies): PerformStep =>
  async (step) => {
    const described = await readSourceDescription(step);
    if (isLeft(described)) return described;
    const description = described.right;
    return withSource(step, copies, {
      roomBytes,
      use: async (sandbox) => {
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        const tracks: CaptionTrack[] = [];
        for (const subtitles of description.subtitles.filter(({ isText }) => isText)) {
          const track = await extractTrack(step, sandbox, { source: opened.right, description, subtitles });
          if (isLeft(track)) return track;
          if (track.right !== undefined) tracks.push(track.right);
        }
        const { videoId, generation } = step.job.payload;
        return right([{ type: 'VideoCaptionsReady', data: { videoId, generation, tracks } }]);
      },
    });
  };
