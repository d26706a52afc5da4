/** Generations before one that is ready are retired once no player can still have an address of them. */
import { plusSeconds } from '../../kernel/instant';
import { type Action, policy, type Send, schedule, send } from '../../kernel/process';
import { videoLimits } from '../limits';
import type { VideoCommand } from '../video/decider';
import { type VideoEvent, videos } from '../video/events';

type SendRetirement = Send<'video.video', VideoCommand>;

export const retireGenerationsOnReady = policy<VideoEvent, SendRetirement>({
  name: 'retire-generations-on-ready',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoReady' && data.generation > 1 ? data.videoId : undefined),
  answer: ({ event: { type, data }, at }): readonly Action<SendRetirement>[] => {
    if (type !== 'VideoReady' || data.generation === 1) return [];
    const { videoId, generation: before } = data;
    const retirement = send('video.video', videoId, { type: 'RetireGenerations', videoId, before } as const);
    return [schedule(`before ${before}`, plusSeconds(at, videoLimits.supersededGenerationSeconds), retirement)];
  },
});
