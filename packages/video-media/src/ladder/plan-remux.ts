/** Whether a source is packaged as it is: only what every browser plays, cut where it has keyframes. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fraction, isEqualFraction, toNumber } from '../fraction';
import { segmentKeyframes } from '../segments/segment-keyframes';
import type { AudioStream, SourceDescription } from '../source/source-description';
import { planLadder, type Rendition } from './plan-ladder';

export interface RemuxPlan {
  /** The rendition of the ladder that the source itself becomes, at its own size. */
  readonly rendition: Rendition;
  /** Presentation times at which segments begin, in ticks of the source's video. */
  readonly segmentStarts: readonly number[];
  /** Null: the film has no sound, or its sound is encoded. */
  readonly copiedAudio: AudioStream | null;
}

const playedProfiles = new Set(['Constrained Baseline', 'Baseline', 'Main', 'High']);

/** Level 5.2 is the last that browsers' decoders take. */
const highestLevel = 52;

const isAudioCopied = ({ codec, profile, channels }: AudioStream): boolean =>
  codec === 'aac' && profile === 'LC' && channels >= 1 && channels <= 2;

/** The sound of the film: the one that is marked as such, else the first. */
export const mainAudio = ({ audio }: SourceDescription): AudioStream | undefined => {
  const audible = audio.filter(({ channels, sampleRate }) => channels > 0 && sampleRate > 0);
  return audible.find(({ isDefault }) => isDefault) ?? audible[0];
};

/** Twice the peak of what would be encoded: cameras write so much, and the wait for an encode is longer. Small films may have any rate that phones receive. */
const highestBitRate = ({ peakKbps }: Rendition): number => Math.max(2_000, peakKbps * 2) * 1_000;

const obstacleOf = (source: SourceDescription, rendition: Rendition): string | undefined => {
  const { video, bitRate } = source;
  if (video.codec !== 'h264') return 'Its video is not H.264.';
  if (!playedProfiles.has(video.profile)) return 'Its profile is not one that every browser plays.';
  if (video.level === null || video.level > highestLevel) return 'Its level is not one that every browser plays.';
  if (video.pixelFormat !== 'yuv420p') return 'Its pixels are not 8 bit 4:2:0.';
  if (video.transfer !== 'sdr') return 'It is HDR.';
  if (video.isInterlaced) return 'It is interlaced.';
  if (video.rotation !== 0) return 'It is turned as it is displayed.';
  if (!isEqualFraction(video.sampleAspectRatio, fraction(1))) return 'Its pixels are not square.';
  if (video.codedWidth % 2 !== 0 || video.codedHeight % 2 !== 0) return 'Its sides are odd.';
  if (video.timing.hiddenFrames > 0) return 'An edit list hides some of its frames.';
  if (video.isVariableRate) return 'Its frame rate varies.';
  if (toNumber(video.frameRate) !== toNumber(rendition.frameRate)) return 'Its frame rate is not one that is played.';
  if (bitRate === null || bitRate > highestBitRate(rendition)) return 'Its bit rate is too high.';
  return undefined;
};

/** Left: why not. */
export const planRemux = (source: SourceDescription): Either<string, RemuxPlan> => {
  const largest = planLadder(source).at(-1);
  if (largest === undefined) return left('It has no rendition.');
  const { displayedWidth: width, displayedHeight: height } = source.video;
  const scale = ((width * height) / (largest.width * largest.height)) ** 0.75;
  const rendition: Rendition = {
    ...largest,
    width,
    height,
    averageKbps: Math.round(largest.averageKbps * scale),
    peakKbps: Math.round(largest.peakKbps * scale),
  };
  const obstacle = obstacleOf(source, rendition);
  if (obstacle !== undefined) return left(obstacle);
  const { keyframes, startTicks, endTicks, timescale } = source.video.timing;
  const segmentStarts = segmentKeyframes({ keyframes, startTicks, endTicks, timescale });
  if (isLeft(segmentStarts)) return segmentStarts;
  const audio = mainAudio(source);
  return right({
    rendition,
    segmentStarts: segmentStarts.right,
    copiedAudio: audio !== undefined && isAudioCopied(audio) ? audio : null,
  });
};
