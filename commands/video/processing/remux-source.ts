/** A source that browsers play is packaged as it is: its pictures, and its sound where that fits, too. */

import { isLeft, left, right } from 'fp-ts/Either';
import type { VideoFact } from '../../../domain/video/video/decider';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import { planRemux, remuxArguments } from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';

import { inside, withSource } from './media-programs';
import { averageKbps, describeTrack, packageFile } from './package-tracks';
import { openSource } from './probe-source';
import type { PerformStep } from './step-run';
import { readSourceDescription } from './stored-descriptions';

const outputs = { video: 'video.mp4', audio: 'audio.mp4' } as const;

/** Beside the copied bytes: headers of fragments. */
const moreBytes = 268_435_456;

export const remuxSource =
  (copies: LocalCopies): PerformStep =>
  (step) =>
    withSource(step, copies, {
      // Once as the program writes it, and once as clear segments, where the video is protected.
      roomBytes: step.state.source.sizeBytes * 2 + moreBytes,
      use: async (sandbox) => {
        const { videoId, generation } = step.job.payload;
        const { ladder } = step.state.facts;
        if (ladder?.copied == null) return again('The source is not examined yet.');
        const described = await readSourceDescription(step);
        if (isLeft(described)) return described;
        const { video } = described.right;
        const plan = planRemux(described.right);
        if (isLeft(plan)) return left({ kind: 'permanent', reason: plan.left });
        const { copiedAudio, segmentStarts } = plan.right;
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        step.run.reportProgress({ fraction: 0, detail: 'The film is packaged as it is.' });
        const ran = await sandbox.run({
          program: 'ffmpeg',
          isAwaited: true,
          args: remuxArguments({
            source: opened.right,
            video: { index: video.index, output: `${inside.directory}/${outputs.video}` },
            audio:
              copiedAudio === null
                ? null
                : { index: copiedAudio.index, output: `${inside.directory}/${outputs.audio}` },
          }),
        });
        if (isLeft(ran)) return ran;
        const { timescale, startTicks } = video.timing;
        const cut = {
          boundaries: segmentStarts.map((ticks) => (ticks - startTicks) / timescale),
          originSeconds: startTicks / timescale,
        };
        const pictures = await packageFile(step, sandbox, { ...cut, name: outputs.video });
        if (isLeft(pictures)) return pictures;
        const track = await describeTrack(step, pictures.right);
        if (isLeft(track)) return track;
        const packaged: VideoFact = {
          type: 'RenditionPackaged',
          data: {
            ...{ videoId, generation, rendition: ladder.copied, ...track.right },
            bitrateKbps: averageKbps(pictures.right.track),
          },
        };
        if (copiedAudio === null) return right([packaged]);
        const sound = await packageFile(step, sandbox, { ...cut, name: outputs.audio });
        if (isLeft(sound)) return sound;
        const soundTrack = await describeTrack(step, sound.right);
        if (isLeft(soundTrack)) return soundTrack;
        return right([{ type: 'VideoAudioReady', data: { videoId, generation, ...soundTrack.right } }, packaged]);
      },
    });
