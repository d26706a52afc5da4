/** From what ffprobe knows of a source to its description, or the reason why it cannot become a film. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Container } from '../../../file-readers/src/media/containers';
import { type Fraction, fraction, parseFraction, toNumber } from '../fraction';
import { isCodecName, refuseSource, type SourceFailure, unsupportedCodec } from './failure';
import { sourceLimits } from './limits';
import type { PacketScan } from './packet-scan';
import type { AudioStream, SourceDescription, SubtitleStream, VideoStream } from './source-description';

type Json = { readonly [name: string]: unknown };

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const finiteOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

const kindOf = (stream: Json): string => textOf(stream.codec_type);

/** A cover is a picture, not a film. */
const isFilm = (stream: Json): boolean =>
  kindOf(stream) === 'video' && finiteOf(objectOf(stream.disposition).attached_pic) !== 1;

const hasDisposition = (stream: Json, name: string): boolean => finiteOf(objectOf(stream.disposition)[name]) === 1;
const tagOf = (stream: Json, name: string): string | null => textOf(objectOf(stream.tags)[name]) || null;

/** `und`: undetermined, ISO 639-2. */
const languageOf = (stream: Json): string | null => {
  const language = tagOf(stream, 'language');
  return language === 'und' ? null : language;
};

/** ffprobe turns counter-clockwise; null: by no quarter turns, as only editors write. */
const rotationOf = (stream: Json): VideoStream['rotation'] | null => {
  const named = listOf(stream.side_data_list).map(({ rotation }) => finiteOf(rotation));
  const degrees = named.find((rotation) => rotation !== null) ?? 0;
  const clockwise = (((-Math.round(degrees) % 360) + 360) % 360) + 0;
  return clockwise === 0 || clockwise === 90 || clockwise === 180 || clockwise === 270 ? clockwise : null;
};

const transfers: Readonly<Record<string, VideoStream['transfer']>> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' };

const matrices: Readonly<Record<string, VideoStream['matrix']>> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** Lines of standard definition are 576 at most. */
const matrixOf = (stream: Json): VideoStream['matrix'] =>
  matrices[textOf(stream.color_space)] ?? ((finiteOf(stream.height) ?? 0) > 576 ? 'bt709' : 'bt601');

const bitDepthOf = (stream: Json): number => {
  const named = /(?:p|gray|bayer_\w+?)(9|10|12|14|16)(?:le|be)$/.exec(textOf(stream.pix_fmt))?.[1];
  return named === undefined ? 8 : Number(named);
};

/** Square pixels: what is wide is made wider, so that no line is lost. */
const displayedSize = (
  { width, height }: { readonly width: number; readonly height: number },
  sample: Fraction,
  rotation: VideoStream['rotation'],
): Pick<VideoStream, 'displayedWidth' | 'displayedHeight'> => {
  const ratio = toNumber(sample);
  const wide = ratio >= 1 ? Math.round(width * ratio) : width;
  const tall = ratio >= 1 ? height : Math.round(height / ratio);
  return rotation === 90 || rotation === 270
    ? { displayedWidth: tall, displayedHeight: wide }
    : { displayedWidth: wide, displayedHeight: tall };
};

/** A shorter gap than half of a longer one is no rounding of a constant rate. */
const isVariable = ({ shortestGap, longestGap }: PacketScan): boolean => longestGap > shortestGap * 1.5 + 1;

const commonDenominators = [1, 1_001] as const;

/** Headers round rates: 29.97 as 2997/100 is 30000/1001. */
const exactRate = (rate: Fraction): Fraction => {
  const value = toNumber(rate);
  for (const denominator of commonDenominators) {
    const base = denominator === 1 ? 1 : 1_000;
    const whole = Math.round((value * denominator) / base);
    const candidate = fraction(whole * base, denominator);
    if (whole > 0 && Math.abs(toNumber(candidate) - value) / value < 0.000_5) return candidate;
  }
  return rate;
};

const commonRates: readonly Fraction[] = [
  fraction(24_000, 1_001),
  fraction(24),
  fraction(25),
  fraction(30_000, 1_001),
  fraction(30),
  fraction(50),
  fraction(60_000, 1_001),
  fraction(60),
];

/** Of a rate that varies: what shows as many frames as there are on average. Pauses in a recording make it smaller than its motion. */
const evenRate = (average: Fraction): Fraction =>
  commonRates.find((rate) => toNumber(rate) >= toNumber(average) * 0.99) ?? fraction(60);

const rateOf = (stream: Json, scan: PacketScan, timescale: number): Fraction => {
  const { frameCount, startTicks, endTicks } = scan.timing;
  const measured = endTicks > startTicks ? fraction(frameCount * timescale, endTicks - startTicks) : fraction(25);
  const nominal = parseFraction(textOf(stream.r_frame_rate));
  const average = parseFraction(textOf(stream.avg_frame_rate)) ?? measured;
  if (isVariable(scan)) return evenRate(average);
  const isNominal = nominal !== undefined && Math.abs(toNumber(nominal) / toNumber(average) - 1) < 0.01;
  const rate = exactRate(isNominal ? nominal : average);
  return toNumber(rate) > sourceLimits.frameRate ? fraction(60) : rate;
};

const audioOf = (stream: Json): AudioStream => ({
  index: finiteOf(stream.index) ?? 0,
  codec: textOf(stream.codec_name),
  profile: textOf(stream.profile),
  channels: finiteOf(stream.channels) ?? 0,
  sampleRate: finiteOf(stream.sample_rate) ?? 0,
  startSeconds: finiteOf(stream.start_time) ?? 0,
  durationSeconds: finiteOf(stream.duration),
  language: languageOf(stream),
  title: tagOf(stream, 'title'),
  isDefault: hasDisposition(stream, 'default'),
});

const textSubtitles = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'subviewer', 'microdvd']);

const subtitleOf = (stream: Json): SubtitleStream => ({
  index: finiteOf(stream.index) ?? 0,
  codec: textOf(stream.codec_name),
  isText: textSubtitles.has(textOf(stream.codec_name)),
  language: languageOf(stream),
  title: tagOf(stream, 'title'),
  isForced: hasDisposition(stream, 'forced'),
});

interface ProbedSource {
  readonly container: Container;
  /** Of `describeArguments`, parsed. */
  readonly probe: unknown;
  /** Of `packetArguments` for the stream of `filmStreamIndex`. */
  readonly scan: PacketScan | undefined;
}

/** Which stream is the film; undefined where there is none. */
export const filmStreamIndex = (probe: unknown): number | undefined => {
  const films = listOf(objectOf(probe).streams).filter(isFilm);
  const film = films.find((stream) => hasDisposition(stream, 'default')) ?? films[0];
  return film === undefined ? undefined : (finiteOf(film.index) ?? 0);
};

/** Headers may promise at most this much more than there is: last frames of unknown length, sound that ends later. */
const missingShare = 0.05;
const missingSeconds = 2;

const isCutOff = (stream: Json, { timing }: PacketScan, timescale: number): boolean => {
  const promised = finiteOf(stream.duration);
  const count = finiteOf(stream.nb_frames);
  if (promised === null) return false;
  // Durations of fragments count from time 0, also where the film begins later.
  const present = (timing.endTicks - Math.min(0, timing.startTicks)) / timescale;
  if (count !== null && count > 0) return (timing.frameCount + timing.hiddenFrames) / count < 1 - missingShare;
  return promised - present > Math.max(missingSeconds, promised * missingShare);
};

const tooLong = refuseSource(
  'TOO_LONG',
  `Films of more than ${sourceLimits.durationSeconds / 3_600} hours are not taken. Split it and upload the parts.`,
);

/** Of a codec that ffmpeg does not know, containers have a tag: four letters. One that it knows and cannot read has no size. */
const unsupportedCodecOf = (film: Json, width: number): string | undefined => {
  const [name, tag] = [textOf(film.codec_name), textOf(film.codec_tag_string)];
  if (name === '' || name === 'none') return /^[\w-]{4}$/.test(tag) ? tag : undefined;
  return width === 0 && isCodecName(name) ? name : undefined;
};

/** What is refused by the headers alone, before the packets are read. */
export const refuseByHeaders = (probe: unknown): Either<SourceFailure, unknown> => {
  const streams = listOf(objectOf(probe).streams);
  if (streams.length >= sourceLimits.streams)
    return refuseSource('TOO_MANY_STREAMS', `The file has more than ${sourceLimits.streams} tracks.`);
  if (streams.length === 0)
    return refuseSource(
      'CUT_OFF',
      'The file has no index of its content: it was cut off, or is damaged. Upload it again.',
    );
  const index = filmStreamIndex(probe);
  const film = streams.find((stream) => finiteOf(stream.index) === index);
  if (film === undefined)
    return refuseSource('NO_VIDEO', 'The file holds no film: it has sound, pictures or subtitles only.');
  const durations = [objectOf(objectOf(probe).format), ...streams].map(({ duration }) => finiteOf(duration) ?? 0);
  if (Math.max(...durations) > sourceLimits.durationSeconds) return tooLong;
  const [width, height] = [finiteOf(film.width) ?? 0, finiteOf(film.height) ?? 0];
  const unsupported = unsupportedCodecOf(film, width);
  if (unsupported !== undefined) return left(unsupportedCodec('The film', unsupported));
  if (width === 0 || height === 0 || textOf(film.codec_name) === '' || textOf(film.codec_name) === 'none')
    return refuseSource('CORRUPT', 'The film names no size or no known codec. Export it again and upload that.');
  if (Math.max(width, height) > sourceLimits.side)
    return refuseSource('TOO_LARGE', `Films wider or higher than ${sourceLimits.side} pixels are not taken.`);
  return right(probe);
};

const timescaleOf = (stream: Json): Fraction | undefined => parseFraction(textOf(stream.time_base));

/** `probe` passed `refuseByHeaders`. */
export const describeSource = ({ container, probe, scan }: ProbedSource): Either<SourceFailure, SourceDescription> => {
  const streams = listOf(objectOf(probe).streams);
  const format = objectOf(objectOf(probe).format);
  const index = filmStreamIndex(probe);
  const film = streams.find((stream) => finiteOf(stream.index) === index) ?? {};
  const base = timescaleOf(film);
  if (scan === undefined || base === undefined)
    return refuseSource('CUT_OFF', 'The file ends before its first picture. Upload the whole file.');
  // Time bases such as 1001/30000 count more than one tick per unit.
  const ticks = (count: number): number => count * base.numerator;
  const timescale = base.denominator;
  if (scan.isEncrypted) return refuseSource('ENCRYPTED', 'The film is encrypted. Upload it without copy protection.');
  const { timing } = scan;
  const counted: PacketScan = {
    timing: {
      ...timing,
      startTicks: ticks(timing.startTicks),
      endTicks: ticks(timing.endTicks),
      keyframes: timing.keyframes.map(ticks),
    },
    shortestGap: ticks(scan.shortestGap),
    longestGap: ticks(scan.longestGap),
    isEncrypted: scan.isEncrypted,
  };
  if (isCutOff(film, counted, timescale))
    return refuseSource('CUT_OFF', 'The file ends before the film does. Upload the whole file.');
  const durationSeconds = (counted.timing.endTicks - counted.timing.startTicks) / timescale;
  if (durationSeconds > sourceLimits.durationSeconds) return tooLong;
  const rotation = rotationOf(film);
  if (rotation === null)
    return refuseSource('CORRUPT', 'The film is turned by something else than quarter turns. Export it upright.');
  const [codedWidth, codedHeight] = [finiteOf(film.width) ?? 0, finiteOf(film.height) ?? 0];
  const sampleAspectRatio = parseFraction(textOf(film.sample_aspect_ratio)) ?? fraction(1);
  const level = finiteOf(film.level);
  const displayed = displayedSize({ width: codedWidth, height: codedHeight }, sampleAspectRatio, rotation);
  // Of a header's absurd ratio of pixels.
  if (Math.max(displayed.displayedWidth, displayed.displayedHeight) > sourceLimits.side * 4)
    return refuseSource('CORRUPT', 'The film names an absurd shape of its pixels. Export it again and upload that.');
  const video: VideoStream = {
    index: index ?? 0,
    codec: textOf(film.codec_name),
    profile: textOf(film.profile),
    level: level !== null && level > 0 ? level : null,
    pixelFormat: textOf(film.pix_fmt),
    bitDepth: bitDepthOf(film),
    codedWidth,
    codedHeight,
    ...displayed,
    rotation,
    sampleAspectRatio,
    frameRate: rateOf(film, counted, timescale),
    isVariableRate: isVariable(counted),
    isInterlaced: !['', 'unknown', 'progressive'].includes(textOf(film.field_order)),
    transfer: transfers[textOf(film.color_transfer)] ?? 'sdr',
    matrix: matrixOf(film),
    timing: { timescale, ...counted.timing },
  };
  return right({
    container,
    durationSeconds,
    bitRate: finiteOf(format.bit_rate),
    video,
    audio: streams.filter((stream) => kindOf(stream) === 'audio').map(audioOf),
    subtitles: streams.filter((stream) => kindOf(stream) === 'subtitle').map(subtitleOf),
  });
};
