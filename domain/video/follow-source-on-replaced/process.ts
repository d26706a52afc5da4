/** What was made of a film's own sound and pictures goes when another film takes its place; what its owner wrote or chose stays. */
import { policy, type Send, send } from '../../kernel/process';
import type { SidecarCommand } from '../sidecars/decider';
import { type VideoEvent, videos } from '../video/events';

type SendDrop = Send<'video.sidecars', SidecarCommand>;

export const followSourceOnReplaced = policy<VideoEvent, SendDrop>({
  name: 'follow-source-on-replaced',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'SourceReplaced' ? data.videoId : undefined),
  answer: ({ event: { type, data } }) => {
    if (type !== 'SourceReplaced') return [];
    const { videoId, ownerId: by } = data;
    return [send('video.sidecars', videoId, { type: 'DropFilmSidecars', videoId, by })];
  },
});
