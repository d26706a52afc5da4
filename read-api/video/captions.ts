/** Captions of a video for who manages it: where each track comes from, and how the recognition of its speech goes. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { VideoId } from '../../domain/video/ids';
import { sidecarsOf } from '../../domain/video/keys';
import { displayedCaptions, type Recognition } from '../../domain/video/sidecars/state';
import { CaptionLabel } from '../../domain/video/video/events';
import { route } from '../../infra/server/http/routing/route';
import { managedVideo, signedBase } from './managed-video';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const ListedCaptions = record('ListedVideoCaptions', {
  language: text('ListedCaptionLanguage', { maxLength: 35, examples: ['en'] }),
  label: CaptionLabel,
  /** `source`: they were in the uploaded film; `recognized`: by a machine, from the sound. */
  origin: oneOf('CaptionOrigin', ['source', 'added', 'recognized']),
  /** WebVTT, signed; null: this installation delivers no videos. */
  url: nullable(text('ListedCaptionAddress', { maxLength: 2_000 })),
});

const VideoCaptions = record('VideoCaptions', {
  videoId: VideoId,
  items: listOf('ListedVideoCaptionTracks', ListedCaptions, 100),
  /** What is played has sound, which speech can be recognized in. */
  hasSound: t.boolean,
  recognition: record('SpeechRecognition', {
    state: oneOf('SpeechRecognitionState', ['none', 'pending', 'failed', 'done']),
    /** What it waits for, or why it failed. */
    reason: nullable(text('SpeechRecognitionReason', { maxLength: 500 })),
  }),
});

const displayedRecognition = (recognition: Recognition) => {
  const { kind: state } = recognition;
  if (state === 'pending') return { state, reason: recognition.reason };
  return { state, reason: state === 'failed' ? recognition.detail : null };
};

export const listVideoCaptions = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/captions',
  operation: 'listVideoCaptions',
  summary: 'List the captions of a video',
  description: 'For its owner and administrators: those that players show, and how the recognition of speech goes.',
  access: { scopes },
  params: VideoPath,
  answers: {
    200: { description: 'One track of each language that was added, and those of the source.', body: VideoCaptions },
  },
  problems: readProblems,
  handle: async (reading, { params: { videoId }, identity }) => {
    const managed = await managedVideo(reading, identity, videoId);
    if (isLeft(managed)) return managed.left;
    const { named, played, sidecars } = managed.right;
    const generation = played?.generation ?? sidecarsOf(named).generation;
    const [ofSource, own] = [generation, sidecarsOf(named).generation].map((one) => signedBase(reading, named, one));
    const items = displayedCaptions(played, sidecars).map(({ language, label, sha256, origin }) => {
      const base = origin === 'source' ? ofSource : own;
      return { language, label, origin, url: base === undefined ? null : `${base}captions/${sha256}.vtt` };
    });
    const hasSound = played?.facts.audioSha256 !== undefined;
    const recognition = displayedRecognition(sidecars.recognition);
    return { status: 200, body: { videoId, items, hasSound, recognition } };
  },
});
