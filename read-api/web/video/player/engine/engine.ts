/** What plays a film in a media element: by hls.js or dash.js on Media Source Extensions, or by the browser itself. */

/** Why it does not play. `expired`: the signed address is no longer valid, or was never. */
export type PlaybackFault = 'expired' | 'unreachable' | 'missing' | 'undecodable' | 'unsupported' | 'protected';

export interface EngineListener {
  /** Names of the variants, ascending. None where the browser chooses. */
  readonly onQualities: (names: readonly string[]) => void;
  /** Of the picture that is shown. */
  readonly onQuality: (name: string) => void;
  readonly onFault: (fault: PlaybackFault) => void;
}

export interface EngineOptions {
  readonly video: HTMLVideoElement;
  readonly manifestUrl: string;
  /** Null: the video is not protected. */
  readonly licenseUrl: string | null;
  readonly dashUrl: string;
  readonly startSeconds: number;
  readonly listener: EngineListener;
}

export interface Engine {
  /** `auto`, or the name of a variant. */
  readonly choose: (quality: string) => void;
  /** After a fault. */
  readonly resume: () => void;
  readonly close: () => void;
}

export const automatic = 'auto';

/** By the status of an answer; 0 or undefined: there was none. */
export const faultOfStatus = (status: number | undefined): PlaybackFault => {
  if (status === 401 || status === 403) return 'expired';
  return status === 404 || status === 410 ? 'missing' : 'unreachable';
};
