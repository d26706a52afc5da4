/** What manifests are written from: packaged tracks, as measured. */
import type { Fraction } from '../fraction';
import type { PackagedTrack } from '../mp4/package-track';

export interface PresentedVideo {
  /** Names its playlist: `360p`. */
  readonly label: string;
  readonly frameRate: Fraction;
  readonly track: PackagedTrack;
}

export interface PresentedAudio {
  /** Names its playlist: `audio-en`. */
  readonly label: string;
  /** BCP 47; null where it is not known. */
  readonly language: string | null;
  readonly name: string;
  readonly track: PackagedTrack;
}

export interface Presentation {
  /** Of one film in several sizes, at least one; all cut at the same times. */
  readonly videos: readonly PresentedVideo[];
  readonly audio: PresentedAudio | null;
  /** Of segments, with a slash at its end: `../segments/`. */
  readonly segmentPath: string;
}

/** Up to the end of its last segment. */
export const trackSeconds = ({ segments, timescale }: PackagedTrack): number => {
  const last = segments.at(-1);
  return last === undefined ? 0 : (last.startTicks + last.durationTicks) / timescale;
};
