import type { Container } from '../../../file-readers/src/media/containers';
import type { Fraction } from '../fraction';

export interface VideoStream {
  readonly index: number;
  readonly codec: string;
  readonly profile: string;
  /** As the codec counts it: 41 is level 4.1 of H.264; null where it is not named. */
  readonly level: number | null;
  readonly pixelFormat: string;
  readonly bitDepth: number;
  readonly codedWidth: number;
  readonly codedHeight: number;
  /** In square pixels, after the rotation. */
  readonly displayedWidth: number;
  readonly displayedHeight: number;
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly sampleAspectRatio: Fraction;
  /** Of a variable rate: a common one, not below the average. */
  readonly frameRate: Fraction;
  readonly isVariableRate: boolean;
  readonly isInterlaced: boolean;
  readonly transfer: 'sdr' | 'pq' | 'hlg';
  /** How its colors are coded; where it is not named, as players guess it by the size. */
  readonly matrix: 'bt601' | 'bt709' | 'bt2020';
  readonly timing: VideoTiming;
}

export interface VideoTiming {
  /** Ticks per second of the times below. */
  readonly timescale: number;
  readonly startTicks: number;
  /** Where the last frame ends. */
  readonly endTicks: number;
  readonly frameCount: number;
  /** Presentation times. */
  readonly keyframes: readonly number[];
  /** Frames that an edit list hides. */
  readonly hiddenFrames: number;
}

export interface AudioStream {
  readonly index: number;
  readonly codec: string;
  readonly profile: string;
  readonly channels: number;
  readonly sampleRate: number;
  readonly startSeconds: number;
  readonly durationSeconds: number | null;
  readonly language: string | null;
  readonly title: string | null;
  readonly isDefault: boolean;
}

export interface SubtitleStream {
  readonly index: number;
  readonly codec: string;
  /** False: its subtitles are pictures. */
  readonly isText: boolean;
  readonly language: string | null;
  readonly title: string | null;
  readonly isForced: boolean;
}

export interface SourceDescription {
  readonly container: Container;
  readonly durationSeconds: number;
  /** Of the whole file, per second; null where it is not known. */
  readonly bitRate: number | null;
  readonly video: VideoStream;
  readonly audio: readonly AudioStream[];
  readonly subtitles: readonly SubtitleStream[];
}
