/** Answers to refusals of videos that both sides give. Of what is not the caller's, they are those of what never was. */
import { commonProblems, type Problem, type ProblemTable, problemOf } from '../http/problem';

export const videoProblems = {
  'video-unknown': { status: 404, title: 'There is no such video' },
} as const satisfies ProblemTable;

export const videoUnknown: Problem = problemOf(
  { kind: 'rejection', code: 'video-unknown', detail: 'There is no such video, or it is not shared with the caller.' },
  videoProblems,
);

/** Of routes that lead to what players read. */
export const playbackProblems = {
  ...videoProblems,
  'entitlement-required': { status: 403, title: 'The video is played with an entitlement' },
  'not-playable': { status: 409, title: 'The video cannot be played yet' },
  'video-failed': { status: 409, title: 'The video failed' },
  'video-recalled': { status: 409, title: 'The video was recalled' },
  'delivery-unavailable': { status: 503, title: 'This installation delivers no videos' },
} as const satisfies ProblemTable;

/** Of routes that call object storage. */
export const videoStoreProblems = {
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
  'blob-damaged': { status: 500, title: 'The video is damaged' },
  'blob-key-refused': { status: 400, title: 'The id is not one of a video' },
} as const satisfies ProblemTable;
