/** Answers to refusals of video uploads. */
import { commonProblems, type ProblemTable } from '../../infra/server/http/problem';
import { playbackProblems, videoProblems, videoStoreProblems } from '../../infra/server/video/problems';

const uploadProblems = {
  ...videoProblems,
  'upload-differs': { status: 409, title: 'The key was used for another video' },
  'upload-ended': { status: 409, title: 'The upload has ended' },
  'upload-completed': { status: 409, title: 'The upload is completed' },
  'upload-open': { status: 409, title: 'An upload of the video is not completed' },
  'video-in-processing': { status: 409, title: 'A generation of the video is being made' },
} as const satisfies ProblemTable;

export const initiationProblems = {
  ...uploadProblems,
  'storage-quota-exceeded': { status: 409, title: 'The storage of the owner is used up' },
  'too-many-uploads': { status: 409, title: 'Too many uploads are open' },
  'video-too-large': { status: 413, title: 'The video is too large' },
  'video-type-unsupported': { status: 415, title: 'The type is not one of videos' },
} as const satisfies ProblemTable;

export const transferProblems = {
  ...uploadProblems,
  ...videoStoreProblems,
  'blob-too-large': { status: 413, title: 'The video is too large' },
  'upload-unknown': { status: 409, title: 'The upload no longer exists' },
  'upload-part-refused': { status: 409, title: 'A part was replaced meanwhile' },
  'upload-incomplete': { status: 409, title: 'Parts of the video are missing, changed or of another size' },
  'video-size-differs': { status: 409, title: 'The stored video has another size' },
  forbidden: commonProblems.forbidden,
} as const satisfies ProblemTable;

export const processingProblems = {
  ...videoProblems,
  'video-not-failed': { status: 409, title: 'The video has not failed' },
  'video-in-processing': { status: 409, title: 'A generation of the video is being made' },
  'codec-not-protected': { status: 409, title: 'The codec cannot be encrypted here' },
  'source-expired': { status: 409, title: 'The source of the video is removed' },
  'video-blocked': { status: 409, title: 'The video is blocked' },
  'fingerprint-not-matched': { status: 409, title: 'The video is not blocked' },
  forbidden: commonProblems.forbidden,
} as const satisfies ProblemTable;

export const blockingProblems = {
  ...processingProblems,
  'fingerprint-unknown': { status: 409, title: 'The sound of the video is not known' },
  'recording-unknown': { status: 404, title: 'There is no such blocked recording' },
  'too-many-recordings': { status: 409, title: 'Too many recordings are blocked' },
  'blob-unknown': { status: 409, title: 'The sound of the video is no longer stored' },
  'blob-too-large': { status: 413, title: 'The fingerprint is too large' },
  ...videoStoreProblems,
} as const satisfies ProblemTable;

export const accessProblems = {
  ...videoProblems,
  'principal-inactive': { status: 409, title: 'The principal is not active' },
  'principal-unknown': { status: 422, title: 'The tenant has no such principal' },
  'too-many-people': { status: 409, title: 'The video is shared with too many people' },
  'too-many-entitlements': { status: 409, title: 'The tenant has too many entitlements' },
  'entitlement-period-invalid': { status: 400, title: 'The period of the entitlement is not one' },
  'protection-fixed': { status: 409, title: 'The protection of the video can no longer be changed' },
  'protection-changed': { status: 409, title: 'The protection of the video was changed meanwhile' },
  'video-not-protected': { status: 409, title: 'The video is not protected' },
  'series-unknown': { status: 404, title: 'There is no such series' },
  'too-many-series': { status: 409, title: 'The owner has too many series' },
  'episode-repeated': { status: 400, title: 'An episode is named twice' },
  'episode-of-another-owner': { status: 409, title: 'An episode is of another owner' },
  'episode-of-another-series': { status: 409, title: 'An episode is of another series' },
} as const satisfies ProblemTable;

export const deletionProblems = {
  ...processingProblems,
  'upload-open': { status: 409, title: 'The upload of the video is not completed' },
} as const satisfies ProblemTable;

export const sidecarProblems = {
  ...videoProblems,
  ...videoStoreProblems,
  'upload-open': { status: 409, title: 'The upload of the video is not completed' },
  'captions-invalid': { status: 400, title: 'The captions are neither SRT nor WebVTT' },
  'captions-unknown': { status: 404, title: 'There are no captions of the language' },
  'captions-exist': { status: 409, title: 'There are captions of the language' },
  'too-many-captions': { status: 409, title: 'The video has captions of too many languages' },
  'video-not-ready': { status: 409, title: 'The video is not ready' },
  'picture-type-unsupported': { status: 415, title: 'The type is not one of pictures' },
  'not-playable': playbackProblems['not-playable'],
  'video-silent': { status: 409, title: 'The video has no sound' },
  forbidden: commonProblems.forbidden,
} as const satisfies ProblemTable;

export const reportProblems = {
  ...videoProblems,
  'video-reported': { status: 409, title: 'The caller has reported the video' },
  'too-many-reports': { status: 409, title: 'The video has too many reports' },
  forbidden: commonProblems.forbidden,
} as const satisfies ProblemTable;

export const heartbeatProblems = {
  ...videoProblems,
  'playback-unknown': { status: 409, title: 'The proof is of no playback' },
  'heartbeat-repeated': { status: 409, title: 'The heartbeat was received before' },
  'heartbeats-unavailable': {
    status: 503,
    title: 'Heartbeats cannot be received right now',
    headers: { 'Retry-After': '30' },
  },
  'event-store-unavailable': commonProblems['event-store-unavailable'],
} as const satisfies ProblemTable;
