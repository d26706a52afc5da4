/** Writes HLS playlists (RFC 8216) of a film that is complete. */
import { toNumber } from '../fraction';
import type { PackagedTrack } from '../mp4/package-track';
import { measureBitRates, targetDuration } from './bit-rates';
import type { Presentation, PresentedAudio, PresentedVideo } from './presentation';

/** 7: `EXT-X-MAP` outside of keyframe playlists is 6; fragmented MP4 7. */
const version = 7;

const header: readonly string[] = ['#EXTM3U', `#EXT-X-VERSION:${version}`];

const quoted = (text: string): string => `"${text.replace(/["\r\n]/g, ' ')}"`;

type Attribute = readonly [name: string, value: string | number];

const tag = (name: string, attributes: readonly Attribute[]): string =>
  `#${name}:${attributes.map(([key, value]) => `${key}=${value}`).join(',')}`;

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

export const playlistName = (label: string): string => `${label}.m3u8`;
export const keyframePlaylistName = (label: string): string => `${label}-keyframes.m3u8`;

/** Six digits: sums of rounded durations stay within a frame over 24 hours. */
const seconds = (ticks: number, timescale: number): string => (ticks / timescale).toFixed(6);

/** Of a track that `encryptWholeSegments` encrypted. */
interface WholeEncryption {
  readonly keyUri: string;
  readonly initializationVectors: readonly string[];
}

/** Below `EXT-X-MAP`: the init segment is not encrypted. */
const keyLines = (encryption: WholeEncryption | undefined, segment: number): readonly string[] => {
  const vector = encryption?.initializationVectors[segment];
  if (encryption === undefined || vector === undefined) return [];
  return [
    tag('EXT-X-KEY', [
      ['METHOD', 'AES-128'],
      ['URI', quoted(encryption.keyUri)],
      ['IV', `0x${vector}`],
    ]),
  ];
};

export const mediaPlaylist = (track: PackagedTrack, segmentPath: string, encryption?: WholeEncryption): string =>
  textOf([
    ...header,
    `#EXT-X-TARGETDURATION:${targetDuration(track)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...(track.kind === 'video' ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    tag('EXT-X-MAP', [['URI', quoted(segmentPath + track.init.name)]]),
    ...track.segments.flatMap(({ name, durationTicks }, index) => [
      ...keyLines(encryption, index),
      `#EXTINF:${seconds(durationTicks, track.timescale)},`,
      segmentPath + name,
    ]),
    '#EXT-X-ENDLIST',
  ]);

interface TimedKeyframe {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly durationTicks: number;
}

/** Each lasts until the next. */
const timedKeyframes = ({ segments }: PackagedTrack): readonly TimedKeyframe[] => {
  const all = segments.flatMap(({ name, keyframes }) => keyframes.map((keyframe) => ({ name, ...keyframe })));
  const last = segments.at(-1);
  const endTicks = last === undefined ? 0 : last.startTicks + last.durationTicks;
  return all.map(({ name, offset, size, startTicks }, index) => ({
    ...{ name, offset, size },
    durationTicks: (all[index + 1]?.startTicks ?? endTicks) - startTicks,
  }));
};

/** For seeking at sight. A keyframe is the beginning of a chunk in a segment. */
export const keyframePlaylist = (track: PackagedTrack, segmentPath: string): string => {
  const keyframes = timedKeyframes(track);
  const longest = keyframes.reduce((most, { durationTicks }) => Math.max(most, durationTicks), 0);
  return textOf([
    ...header,
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(longest / track.timescale))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-I-FRAMES-ONLY',
    tag('EXT-X-MAP', [['URI', quoted(segmentPath + track.init.name)]]),
    ...keyframes.flatMap(({ name, offset, size, durationTicks }) => [
      `#EXTINF:${seconds(durationTicks, track.timescale)},`,
      `#EXT-X-BYTERANGE:${size}@${offset}`,
      segmentPath + name,
    ]),
    '#EXT-X-ENDLIST',
  ]);
};

const audioGroup = 'audio';

const audioTag = ({ label, language, name, track }: PresentedAudio): string =>
  tag('EXT-X-MEDIA', [
    ...([
      ['TYPE', 'AUDIO'],
      ['GROUP-ID', quoted(audioGroup)],
      ['NAME', quoted(name)],
    ] as const),
    ...(language === null ? [] : ([['LANGUAGE', quoted(language)]] as const)),
    ...([
      ['DEFAULT', 'YES'],
      ['AUTOSELECT', 'YES'],
      ['CHANNELS', quoted(String(track.channels))],
      ['URI', quoted(playlistName(label))],
    ] as const),
  ]);

const variantLines = ({ label, frameRate, track }: PresentedVideo, audio: PresentedAudio | null): readonly string[] => {
  const rates = measureBitRates(track);
  const sound = audio === null ? { average: 0, peak: 0 } : measureBitRates(audio.track);
  const codecs = [track.codec, ...(audio === null ? [] : [audio.track.codec])].join(',');
  return [
    tag('EXT-X-STREAM-INF', [
      ['BANDWIDTH', rates.peak + sound.peak],
      ['AVERAGE-BANDWIDTH', rates.average + sound.average],
      ['CODECS', quoted(codecs)],
      ['RESOLUTION', `${track.width}x${track.height}`],
      ['FRAME-RATE', toNumber(frameRate).toFixed(3)],
      ...(audio === null ? [] : ([['AUDIO', quoted(audioGroup)]] as const)),
    ]),
    playlistName(label),
  ];
};

/** Of the keyframes alone: the largest run of them that a player takes at once is one. */
const keyframeLine = ({ label, track }: PresentedVideo): string => {
  const keyframes = timedKeyframes(track);
  const rateOf = ({ size, durationTicks }: TimedKeyframe): number =>
    Math.ceil((size * 8 * track.timescale) / Math.max(1, durationTicks));
  const peak = keyframes.reduce((most, keyframe) => Math.max(most, rateOf(keyframe)), 1);
  return tag('EXT-X-I-FRAME-STREAM-INF', [
    ['BANDWIDTH', peak],
    ['CODECS', quoted(track.codec)],
    ['RESOLUTION', `${track.width}x${track.height}`],
    ['URI', quoted(keyframePlaylistName(label))],
  ]);
};

export const masterPlaylist = ({ videos, audio }: Presentation): string =>
  textOf([
    ...header,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(audio === null ? [] : [audioTag(audio)]),
    ...videos.flatMap((video) => variantLines(video, audio)),
    ...videos.filter(({ track }) => track.segments.some(({ keyframes }) => keyframes.length > 0)).map(keyframeLine),
  ]);
