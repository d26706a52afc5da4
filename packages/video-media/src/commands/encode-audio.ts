/**
 * Argument lists of ffmpeg that measure and encode a film's sound, whole: AAC of two channels, in step with the pictures.
 * Its loudness is measured first, then all of it is made louder or quieter by one gain, so a film keeps its quiet scenes; peaks that would clip are bent.
 */
import { type FrameGrid, gridSeconds } from '../segments/frame-grid';
import { type SourceFile, sourceInput } from '../source/commands';
import type { AudioStream, VideoTiming } from '../source/source-description';
import { fragmented, quietly, reported } from './common';

interface AudioSource {
  readonly source: SourceFile;
  readonly audio: Pick<AudioStream, 'index' | 'channels'>;
  /** Of the pictures: where the film begins. */
  readonly timing: Pick<VideoTiming, 'startTicks' | 'timescale'>;
}

export const encodedSampleRate = 48_000;

/** ffmpeg's layouts end at 8 channels: of recordings with more the first two are taken. */
const mostMixedChannels = 8;

/** The center, which has the dialogue, goes to both sides (ITU-R BS.775), as do the surrounds; not the effects' bass. */
const stereo = ({ channels }: Pick<AudioStream, 'channels'>): readonly string[] =>
  channels > mostMixedChannels ? ['pan=stereo|c0=c0|c1=c1'] : [];

/**
 * Late and missing sound becomes silence, sound from before the film is cut off. What drifts by 20 ms is corrected at once: followed smoothly
 * (`async` above 1), ffmpeg 5.1 adds seconds at the beginning.
 */
const inStep = `aresample=${encodedSampleRate}:async=1:min_hard_comp=0.02:first_pts=0`;

const timedStereo = ({ audio, timing: { startTicks, timescale } }: AudioSource): readonly string[] => [
  `asetpts=round(PTS-${startTicks}/${timescale}/TB)`,
  ...stereo(audio),
  inStep,
  'aformat=sample_fmts=fltp:channel_layouts=stereo',
];

const input = ({ source }: AudioSource): readonly string[] => ['-copyts', '-threads', '1', ...sourceInput(source)];

/** Its standard error is for `readLoudness`. */
export const measureLoudnessArguments = (sound: AudioSource): readonly string[] => [
  ...['-nostdin', '-hide_banner', '-v', 'info', ...reported, ...input(sound), '-map', `0:${sound.audio.index}`],
  ...['-af', [...timedStereo(sound), 'ebur128=peak=sample:framelog=verbose'].join(',')],
  ...['-f', 'null', '-'],
];

export interface Loudness {
  /** LUFS (EBU R 128) of the whole. */
  readonly integrated: number;
  /** Decibels below full scale, of the loudest sample. */
  readonly peak: number;
}

/** Silence, or shorter than what is measured. */
const silent: Loudness = { integrated: Number.NEGATIVE_INFINITY, peak: Number.NEGATIVE_INFINITY };

/** The summary is the last that ffmpeg writes: tags of the source, which may look like one, are written before. */
export const readLoudness = (standardError: string): Loudness => {
  const summary = standardError.slice(Math.max(0, standardError.lastIndexOf('Summary:')));
  const integrated = Number(/^\s*I:\s+(-?[\d.]+) LUFS/m.exec(summary)?.[1] ?? Number.NaN);
  const peak = Number(/^\s*Peak:\s+(-?[\d.]+) dBFS/m.exec(summary)?.[1] ?? Number.NaN);
  return Number.isFinite(integrated) && Number.isFinite(peak) ? { integrated, peak } : silent;
};

/** AES TD1008 for streams, in LUFS. */
const targetLoudness = -16;
/** Decibels: the encoder and players' resampling add a little. */
const highestPeak = -2;
const mostBentDecibels = 8;
const mostGainDecibels = 20;
/** LUFS: below, it is the noise of a recording without sound. */
const quietest = -60;

export interface AudioGain {
  readonly decibels: number;
  readonly isLimited: boolean;
}

export const planGain = ({ integrated, peak }: Loudness): AudioGain => {
  if (integrated < quietest) return { decibels: 0, isLimited: false };
  const wanted = Math.min(targetLoudness - integrated, mostGainDecibels, highestPeak + mostBentDecibels - peak);
  const decibels = Math.round(wanted * 10) / 10;
  return { decibels, isLimited: peak + decibels > highestPeak };
};

const amplified = ({ decibels, isLimited }: AudioGain): readonly string[] => [
  ...(decibels === 0 ? [] : [`volume=${decibels}dB`]),
  ...(isLimited
    ? [`alimiter=limit=${(10 ** (highestPeak / 20)).toFixed(4)}:attack=5:release=50:level=false:latency=true`]
    : []),
];

interface AudioEncoding extends AudioSource {
  readonly grid: FrameGrid;
  readonly gain: AudioGain;
  /** Absolute. */
  readonly output: string;
}

/** As long as the pictures: players end where the shorter one does. */
export const encodeAudioArguments = (job: AudioEncoding): readonly string[] => {
  const seconds = gridSeconds(job.grid).toFixed(6);
  const sounds = [...timedStereo(job), ...amplified(job.gain), `apad=whole_dur=${seconds}`, `atrim=end=${seconds}`];
  return [
    ...[...quietly, ...reported, ...input(job), '-map', `0:${job.audio.index}`, '-af', sounds.join(',')],
    ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', '128k', ...fragmented('audio'), `file:${job.output}`],
  ];
};
