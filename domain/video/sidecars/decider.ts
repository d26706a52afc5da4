/** The newest request counts: a worker that was late with an earlier one changes nothing, and what it is to replace is shown meanwhile. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId } from '../ids';
import { videoLimits } from '../limits';
import type { CaptionTrack } from '../video/events';
import type { PosterId, PosterSource, RecognitionId, SidecarEvent } from './events';
import { hasFramePoster, hasRecognizedCaptions, type SidecarState, sidecarRules } from './state';

interface OfVideo {
  readonly videoId: VideoId;
  readonly by: PrincipalId;
}

/** Of a worker. */
interface OfRecognition {
  readonly videoId: VideoId;
  readonly recognitionId: RecognitionId;
}

interface OfPoster {
  readonly videoId: VideoId;
  readonly posterId: PosterId;
}

export type SidecarCommand =
  | ({ readonly type: 'DescribeVideo'; readonly title: string; readonly description: string } & OfVideo)
  | ({ readonly type: 'AddCaptions'; readonly track: CaptionTrack } & OfVideo)
  | ({
      readonly type: 'RemoveCaptions';
      readonly language: string;
      /** The source has captions of the language. */
      readonly isInSource: boolean;
    } & OfVideo)
  | ({
      readonly type: 'RequestRecognition';
      readonly recognitionId: RecognitionId;
      /** That speech is recognized in. */
      readonly language: string;
      readonly isInSource: boolean;
    } & OfVideo)
  | ({ readonly type: 'DeferRecognition'; readonly reason: string } & OfRecognition)
  | ({ readonly type: 'RecordRecognition'; readonly track: CaptionTrack } & OfRecognition)
  | ({ readonly type: 'FailRecognition'; readonly detail: string } & OfRecognition)
  | ({ readonly type: 'RequestPoster'; readonly posterId: PosterId; readonly source: PosterSource } & OfVideo)
  | ({ readonly type: 'DeferPoster'; readonly reason: string } & OfPoster)
  | ({ readonly type: 'RecordPoster'; readonly sha256: string } & OfPoster)
  | ({ readonly type: 'RefusePoster'; readonly detail: string } & OfPoster)
  | ({ readonly type: 'ResetPoster' } & OfVideo)
  /** Another film took the place of the one that they were made of. */
  | ({ readonly type: 'DropFilmSidecars' } & OfVideo);

export type SidecarRejection = 'captions-unknown' | 'captions-exist' | 'too-many-captions';

type Decision = Either<Rejection<SidecarRejection>, readonly SidecarEvent[]>;
type CommandOf<Type extends SidecarCommand['type']> = Extract<SidecarCommand, { type: Type }>;

const describe = (
  { videoId, title, description, by }: CommandOf<'DescribeVideo'>,
  { details }: SidecarState,
): Decision =>
  right(
    details?.title === title && details.description === description
      ? []
      : [{ type: 'VideoDescribed', data: { videoId, title, description, describedBy: by } }],
  );

const isSame = (one: CaptionTrack, other: CaptionTrack): boolean =>
  one.sha256 === other.sha256 && one.label === other.label;

const add = ({ videoId, track, by }: CommandOf<'AddCaptions'>, { captions }: SidecarState): Decision => {
  const before = captions.get(track.language);
  if (before !== undefined && !before.isRecognized && isSame(before, track)) return right([]);
  const languages = [...captions.values()].filter((one) => one !== undefined).length;
  if (before === undefined && languages >= videoLimits.captionLanguages)
    return reject('too-many-captions', `A video has captions of ${videoLimits.captionLanguages} languages at most.`);
  return right([{ type: 'CaptionsAdded', data: { videoId, track, addedBy: by } }]);
};

const remove = (
  { videoId, language, isInSource, by }: CommandOf<'RemoveCaptions'>,
  { captions }: SidecarState,
): Decision => {
  const isKnown = captions.has(language);
  if (isKnown && captions.get(language) === undefined) return right([]);
  if (!isKnown && !isInSource) return reject('captions-unknown', 'The video has no captions of this language.');
  return right([{ type: 'CaptionsRemoved', data: { videoId, language, removedBy: by } }]);
};

/** Captions that a person wrote are better than a machine's. */
const requestRecognition = (
  { videoId, recognitionId, language, isInSource, by }: CommandOf<'RequestRecognition'>,
  { captions, recognition }: SidecarState,
): Decision => {
  if (recognition.kind === 'pending') return right([]);
  const isDisplayed = captions.has(language) ? captions.get(language) !== undefined : isInSource;
  if (isDisplayed) return reject('captions-exist', 'The video has captions of this language: remove them first.');
  return right([{ type: 'SpeechRecognitionRequested', data: { videoId, recognitionId, requestedBy: by } }]);
};

type RecognitionResult = CommandOf<'DeferRecognition' | 'RecordRecognition' | 'FailRecognition'>;

const endRecognition = (command: RecognitionResult, { captions, recognition }: SidecarState): Decision => {
  const { videoId, recognitionId } = command;
  if (recognition.kind !== 'pending' || recognition.recognitionId !== recognitionId) return right([]);
  const failed = (detail: string): Decision =>
    right([{ type: 'SpeechRecognitionFailed', data: { videoId, recognitionId, detail } }]);
  switch (command.type) {
    case 'DeferRecognition': {
      const data = { videoId, recognitionId, attempt: recognition.attempt + 1, reason: command.reason };
      return right([{ type: 'SpeechRecognitionDeferred', data }]);
    }
    case 'FailRecognition':
      return failed(command.detail);
    case 'RecordRecognition':
      return captions.get(command.track.language) === undefined
        ? right([{ type: 'CaptionsRecognized', data: { videoId, recognitionId, track: command.track } }])
        : failed('Captions of the language were added meanwhile; they stay.');
  }
};

const requestPoster = ({ videoId, posterId, source, by }: CommandOf<'RequestPoster'>): Decision =>
  right([{ type: 'PosterRequested', data: { videoId, posterId, source, requestedBy: by } }]);

type PosterResult = CommandOf<'DeferPoster' | 'RecordPoster' | 'RefusePoster'>;

const endPoster = (command: PosterResult, { pendingPoster }: SidecarState): Decision => {
  const { videoId, posterId } = command;
  if (pendingPoster?.posterId !== posterId) return right([]);
  switch (command.type) {
    case 'DeferPoster': {
      const data = { videoId, posterId, attempt: pendingPoster.attempt + 1, reason: command.reason };
      return right([{ type: 'PosterDeferred', data }]);
    }
    case 'RecordPoster':
      return right([{ type: 'PosterStored', data: { videoId, posterId, sha256: command.sha256 } }]);
    case 'RefusePoster':
      return right([{ type: 'PosterRefused', data: { videoId, posterId, detail: command.detail } }]);
  }
};

const resetPoster = ({ videoId, by }: CommandOf<'ResetPoster'>, { poster, pendingPoster }: SidecarState): Decision =>
  right(
    poster === undefined && pendingPoster === undefined
      ? []
      : [{ type: 'PosterReset', data: { videoId, resetBy: by } }],
  );

const dropFilmSidecars = ({ videoId, by }: CommandOf<'DropFilmSidecars'>, state: SidecarState): Decision =>
  right([
    ...(hasRecognizedCaptions(state) ? [{ type: 'RecognizedCaptionsDropped' as const, data: { videoId } }] : []),
    ...(hasFramePoster(state) ? [{ type: 'PosterReset' as const, data: { videoId, resetBy: by } }] : []),
  ]);

const decide = (command: SidecarCommand, state: SidecarState): Decision => {
  switch (command.type) {
    case 'DescribeVideo':
      return describe(command, state);
    case 'AddCaptions':
      return add(command, state);
    case 'RemoveCaptions':
      return remove(command, state);
    case 'RequestRecognition':
      return requestRecognition(command, state);
    case 'DeferRecognition':
    case 'RecordRecognition':
    case 'FailRecognition':
      return endRecognition(command, state);
    case 'RequestPoster':
      return requestPoster(command);
    case 'DeferPoster':
    case 'RecordPoster':
    case 'RefusePoster':
      return endPoster(command, state);
    case 'ResetPoster':
      return resetPoster(command, state);
    case 'DropFilmSidecars':
      return dropFilmSidecars(command, state);
  }
};

export const videoSidecars: Decider<SidecarCommand, SidecarState, SidecarEvent, SidecarRejection> = {
  ...sidecarRules,
  decide,
};
