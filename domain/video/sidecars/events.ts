/** Events of what its owner adds to a video, whichever its source: title and description, captions of a language, speech that is recognized on request, and a poster. */
import type * as t from 'io-ts';
import { integer, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { idOf, PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { VideoDigest } from '../digest';
import { VideoId } from '../ids';
import { videoLimits } from '../limits';
import { VideoTitle } from '../upload/events';
import { CaptionTrack } from '../video/events';

export const RecognitionId = idOf('SpeechRecognitionId');
export type RecognitionId = t.TypeOf<typeof RecognitionId>;

export const PosterId = idOf('VideoPosterId');
export type PosterId = t.TypeOf<typeof PosterId>;

/** BCP 47 (RFC 5646), in its canonical form. */
export const CaptionLanguage = text('AddedCaptionLanguage', {
  maxLength: 35,
  pattern: '[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*',
  examples: ['en', 'pt-BR'],
});

/** `frame`: of the film, at a time; `picture`: one that was uploaded. */
const PosterOrigin = oneOf('VideoPosterOrigin', ['frame', 'picture']);

export const PosterSource = record('VideoPosterSource', {
  origin: PosterOrigin,
  /** Of a frame. */
  positionMilliseconds: nullable(integer(0, videoLimits.positionSeconds * 1_000)),
  /** Of the picture as it was uploaded. */
  pictureSha256: nullable(VideoDigest),
});
export type PosterSource = t.TypeOf<typeof PosterSource>;

/** Empty: none. */
export const VideoDescription = text('VideoDescription', {
  content: 'lines',
  minLength: 0,
  maxLength: videoLimits.descriptionLength,
  examples: ['How the barley was brought in.'],
});

const of = { videoId: VideoId };
const ofRecognition = { ...of, recognitionId: RecognitionId };
const ofPoster = { ...of, posterId: PosterId };
const reason = text('DeferredSidecar', { maxLength: 500 });
/** A sentence for the owner. */
const detail = text('RefusedSidecar', { maxLength: 500 });

export const sidecars = aggregate(
  { context: 'video', name: 'sidecars', id: VideoId },
  {
    /** In place of the title that it was uploaded with. */
    VideoDescribed: {
      v: 1,
      data: {
        ...of,
        title: secret(VideoTitle, 'videoId'),
        description: secret(VideoDescription, 'videoId'),
        describedBy: PrincipalId,
      },
    },
    /** Takes the place of captions of the language, whatever they came from. */
    CaptionsAdded: { v: 1, data: { ...of, track: CaptionTrack, addedBy: PrincipalId } },
    /** Also of captions that were in the source: none of the language are shown. */
    CaptionsRemoved: { v: 1, data: { ...of, language: CaptionLanguage, removedBy: PrincipalId } },
    SpeechRecognitionRequested: { v: 1, data: { ...ofRecognition, requestedBy: PrincipalId } },
    /** It waits for what the worker lacks, such as the model, and is tried again. */
    SpeechRecognitionDeferred: { v: 1, data: { ...ofRecognition, attempt: integer(1), reason } },
    CaptionsRecognized: { v: 1, data: { ...ofRecognition, track: CaptionTrack } },
    /** The film that they were recognized in was replaced. */
    RecognizedCaptionsDropped: { v: 1, data: of },
    SpeechRecognitionFailed: { v: 1, data: { ...ofRecognition, detail } },
    /** The earlier poster stays until the new one is stored. */
    PosterRequested: { v: 1, data: { ...ofPoster, source: PosterSource, requestedBy: PrincipalId } },
    PosterDeferred: { v: 1, data: { ...ofPoster, attempt: integer(1), reason } },
    PosterStored: { v: 1, data: { ...ofPoster, sha256: VideoDigest } },
    PosterRefused: { v: 1, data: { ...ofPoster, detail } },
    /** The poster that was made of the film is shown again. */
    PosterReset: { v: 1, data: { ...of, resetBy: PrincipalId } },
  },
);
export type SidecarEvent = typeof sidecars.Event;

export const { stream: sidecarStream } = sidecars;
