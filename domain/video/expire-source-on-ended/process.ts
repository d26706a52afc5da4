/** The source of a video expires some time after the video is ready or has failed; one that is processed again stays until that ends. */
import { plusSeconds } from '../../kernel/instant';
import { type Action, cancel, policy, type Send, schedule, send } from '../../kernel/process';
import { videoLimits } from '../limits';
import type { VideoCommand } from '../video/decider';
import { type VideoEvent, videos } from '../video/events';

type SendExpiry = Send<'video.video', VideoCommand>;

/** A later end takes the place of an earlier one. */
const key = 'retention';

const secondsAfter = ({ type, data }: VideoEvent): number | undefined => {
  if (type === 'VideoReady' || type === 'GenerationFailed') return videoLimits.readySourceSeconds;
  if (type === 'VideoFailed') return videoLimits.failedSourceSeconds;
  return type === 'SourceRetentionChanged' && !data.isRetained ? videoLimits.readySourceSeconds : undefined;
};

const isOver = ({ type }: VideoEvent): boolean =>
  type === 'VideoRetried' ||
  type === 'VideoUploaded' ||
  type === 'GenerationStarted' ||
  type === 'VideoDeleted' ||
  type === 'FingerprintOverridden';

export const expireSourceOnEnded = policy<VideoEvent, SendExpiry>({
  name: 'expire-source-on-ended',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event }) => (isOver(event) || secondsAfter(event) !== undefined ? event.data.videoId : undefined),
  answer: ({ event, at }): readonly Action<SendExpiry>[] => {
    const seconds = secondsAfter(event);
    if (seconds === undefined) return [cancel(key)];
    const { videoId } = event.data;
    return [schedule(key, plusSeconds(at, seconds), send('video.video', videoId, { type: 'ExpireSources', videoId }))];
  },
});
