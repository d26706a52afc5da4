/** State of what its owner added to a video, and which captions and poster a player shows of that and of the source. */
import type { Forgotten } from '../../kernel/secret';
import type { CaptionTrack } from '../video/events';
import type { PlayedGeneration } from '../video/state';
import { type PosterId, type PosterSource, type RecognitionId, type SidecarEvent, sidecars } from './events';
import { canonicalLanguage } from './language';

interface OwnTrack extends CaptionTrack {
  readonly isRecognized: boolean;
}

/** Work of a worker that was requested and has not ended. */
interface Pending {
  readonly attempt: number;
  /** Why it was put off the last time. */
  readonly reason: string | null;
}

export type Recognition =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'pending'; readonly recognitionId: RecognitionId } & Pending)
  | { readonly kind: 'failed'; readonly recognitionId: RecognitionId; readonly detail: string }
  | { readonly kind: 'done'; readonly recognitionId: RecognitionId };

interface StoredPoster {
  readonly source: PosterSource;
  readonly sha256: string;
}

interface PendingPoster extends Pending {
  readonly posterId: PosterId;
  readonly source: PosterSource;
}

interface Details {
  readonly title: string | Forgotten;
  readonly description: string | Forgotten;
}

export interface SidecarState {
  /** Undefined: the title that it was uploaded with, and no description. */
  readonly details: Details | undefined;
  /** By language; undefined: removed, also those of the source. */
  readonly captions: ReadonlyMap<string, OwnTrack | undefined>;
  readonly recognition: Recognition;
  /** Undefined: the one that was made of the film. */
  readonly poster: StoredPoster | undefined;
  readonly pendingPoster: PendingPoster | undefined;
  /** Of the newest request that was refused, as a sentence. */
  readonly posterRefusal: string | undefined;
}

const noSidecars: SidecarState = {
  details: undefined,
  captions: new Map(),
  recognition: { kind: 'none' },
  poster: undefined,
  pendingPoster: undefined,
  posterRefusal: undefined,
};

/** Whether any of the captions, or those to come, are recognized in the sound of the film. */
export const hasRecognizedCaptions = ({ captions, recognition }: SidecarState): boolean =>
  recognition.kind !== 'none' || [...captions.values()].some((track) => track?.isRecognized === true);

/** The poster is a picture of the film, and none of a person's is about to take its place. */
export const hasFramePoster = ({ poster, pendingPoster }: SidecarState): boolean =>
  poster?.source.origin === 'frame' && pendingPoster?.source.origin !== 'picture';

const withTrack = (state: SidecarState, language: string, track: OwnTrack | undefined): SidecarState => ({
  ...state,
  captions: new Map(state.captions).set(language, track),
});

const evolve = (state: SidecarState, { type, data }: SidecarEvent): SidecarState => {
  const { pendingPoster } = state;
  switch (type) {
    case 'VideoDescribed': {
      const { title, description } = data;
      return { ...state, details: { title, description } };
    }
    case 'CaptionsAdded':
      return withTrack(state, data.track.language, { ...data.track, isRecognized: false });
    case 'CaptionsRemoved':
      return withTrack(state, data.language, undefined);
    case 'SpeechRecognitionRequested': {
      const { recognitionId } = data;
      return { ...state, recognition: { kind: 'pending', recognitionId, attempt: 0, reason: null } };
    }
    case 'SpeechRecognitionDeferred': {
      const { recognitionId, attempt, reason } = data;
      return { ...state, recognition: { kind: 'pending', recognitionId, attempt, reason } };
    }
    case 'CaptionsRecognized': {
      const recognized = withTrack(state, data.track.language, { ...data.track, isRecognized: true });
      return { ...recognized, recognition: { kind: 'done', recognitionId: data.recognitionId } };
    }
    case 'RecognizedCaptionsDropped':
      return {
        ...state,
        captions: new Map([...state.captions].filter(([, track]) => track?.isRecognized !== true)),
        recognition: { kind: 'none' },
      };
    case 'SpeechRecognitionFailed': {
      const { recognitionId, detail } = data;
      return { ...state, recognition: { kind: 'failed', recognitionId, detail } };
    }
    case 'PosterRequested': {
      const { posterId, source } = data;
      return { ...state, pendingPoster: { posterId, source, attempt: 0, reason: null }, posterRefusal: undefined };
    }
    case 'PosterDeferred': {
      const { attempt, reason } = data;
      return pendingPoster === undefined ? state : { ...state, pendingPoster: { ...pendingPoster, attempt, reason } };
    }
    case 'PosterStored': {
      if (pendingPoster === undefined) return state;
      return { ...state, poster: { source: pendingPoster.source, sha256: data.sha256 }, pendingPoster: undefined };
    }
    case 'PosterRefused':
      return { ...state, pendingPoster: undefined, posterRefusal: data.detail };
    case 'PosterReset':
      return { ...state, poster: undefined, pendingPoster: undefined, posterRefusal: undefined };
  }
};

export const sidecarRules = { family: sidecars, initial: noSidecars, evolve };

/** `source`: they were in the uploaded film. */
export type CaptionOrigin = 'source' | 'added' | 'recognized';

export interface DisplayedCaptions extends CaptionTrack {
  readonly origin: CaptionOrigin;
}

/** Of the source, in their canonical form. */
const sourceCaptions = (played: Pick<PlayedGeneration, 'facts'> | undefined): readonly CaptionTrack[] =>
  (played?.facts.captions ?? []).map((track) => ({
    ...track,
    language: canonicalLanguage(track.language) ?? track.language,
  }));

export const isInSource = (played: Pick<PlayedGeneration, 'facts'> | undefined, language: string): boolean =>
  sourceCaptions(played).some((track) => track.language === language);

/** Of a language, what its owner added takes the place of what was in the source. */
export const displayedCaptions = (
  played: Pick<PlayedGeneration, 'facts'> | undefined,
  { captions }: SidecarState,
): readonly DisplayedCaptions[] => {
  const ofSource = sourceCaptions(played).filter(({ language }) => !captions.has(language));
  const own = [...captions.values()].flatMap((track): readonly DisplayedCaptions[] => {
    if (track === undefined) return [];
    const { isRecognized, ...shown } = track;
    return [{ ...shown, origin: isRecognized ? 'recognized' : 'added' }];
  });
  return [...ofSource.map((track) => ({ ...track, origin: 'source' as const })), ...own];
};
