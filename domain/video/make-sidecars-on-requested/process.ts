/** Requested recognition of speech and requested posters become jobs. What was put off is tried again. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, policy, type Send } from '../../kernel/process';
import { VideoId } from '../ids';
import { delayAfter, mostAttempts } from '../run-steps-on-video/process';
import { PosterId, RecognitionId, type SidecarEvent, sidecars } from '../sidecars/events';

const SpeechJob = record('VideoSpeechJob', { videoId: VideoId, recognitionId: RecognitionId });
export type SpeechJob = TypeOf<typeof SpeechJob>;

const PosterJob = record('VideoPosterJob', { videoId: VideoId, posterId: PosterId });
export type PosterJob = TypeOf<typeof PosterJob>;

/** Takes a processor for a fifth of the film's length. */
export const speechQueue: JobQueue<SpeechJob> = { name: 'video-speech', payload: SpeechJob };
export const posterQueue: JobQueue<PosterJob> = { name: 'video-posters', payload: PosterJob };

const jobOf = ({ type, data }: SidecarEvent): EnqueueJob | undefined => {
  switch (type) {
    case 'SpeechRecognitionRequested':
    case 'SpeechRecognitionDeferred': {
      const { videoId, recognitionId } = data;
      const delay = 'attempt' in data ? { delaySeconds: delayAfter(data.attempt) } : {};
      return enqueueJob(speechQueue, { videoId, recognitionId }, { mostAttempts, ...delay });
    }
    case 'PosterRequested':
    case 'PosterDeferred': {
      const { videoId, posterId } = data;
      const delay = 'attempt' in data ? { delaySeconds: delayAfter(data.attempt) } : {};
      return enqueueJob(posterQueue, { videoId, posterId }, { mostAttempts, ...delay });
    }
    case 'VideoDescribed':
    case 'CaptionsAdded':
    case 'CaptionsRemoved':
    case 'CaptionsRecognized':
    case 'RecognizedCaptionsDropped':
    case 'SpeechRecognitionFailed':
    case 'PosterStored':
    case 'PosterRefused':
    case 'PosterReset':
      return undefined;
  }
};

export const makeSidecarsOnRequested = policy<SidecarEvent, Send>({
  name: 'make-sidecars-on-requested',
  context: 'video',
  subscribes: [sidecars],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (jobOf(event) === undefined ? undefined : entityId),
  answer: ({ event }) => {
    const job = jobOf(event);
    return job === undefined ? [] : [job];
  },
});
