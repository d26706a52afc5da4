/** What `ffprobe` knows of a file: streams, chapters, tags. */
import { open } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { linesOf, type ProgramEnd } from '../program';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { type Container, containerOf } from './containers';
import { mediaLimits } from './limits';

export interface Stream {
  /** In the file. */
  readonly index: number;
  readonly kind: 'video' | 'audio' | 'subtitle' | 'other';
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second, on average; null where it is not known. */
  readonly frameRate: number | null;
  readonly language: string | null;
  readonly title: string | null;
  /** A cover, not a film. */
  readonly isPicture: boolean;
}

export interface Chapter {
  readonly startMs: number;
  readonly endMs: number;
  readonly title: string;
}

export interface ProbedMedia {
  readonly container: Container;
  /** Null where the file does not name it, such as a stream that was recorded. */
  readonly durationMs: number | null;
  readonly streams: readonly Stream[];
  readonly chapters: readonly Chapter[];
  /** Names in lower case. */
  readonly tags: ReadonlyMap<string, string>;
}

type Json = { readonly [name: string]: unknown };

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => {
  const number = Number(value);
  return Number.isFinite(number) ? number : 0;
};

const tagsOf = ({ tags }: Json): ReadonlyMap<string, string> =>
  new Map(Object.entries(objectOf(tags)).map(([name, value]) => [name.toLowerCase(), textOf(value)]));

const rateOf = (value: unknown): number | null => {
  const [over = 0, under = 0] = textOf(value).split('/').map(numberOf);
  const rate = over / under;
  return Number.isFinite(rate) && rate > 0 && rate <= 1_000 ? rate : null;
};

const kinds: readonly string[] = ['video', 'audio', 'subtitle'];

const streamOf = (stream: Json): Stream => {
  const tags = tagsOf(stream);
  const kind = textOf(stream.codec_type);
  return {
    index: numberOf(stream.index),
    kind: kinds.includes(kind) ? (kind as Stream['kind']) : 'other',
    codec: textOf(stream.codec_name),
    width: numberOf(stream.width),
    height: numberOf(stream.height),
    frameRate: rateOf(stream.avg_frame_rate) ?? rateOf(stream.r_frame_rate),
    language: tags.get('language') ?? null,
    title: tags.get('title') ?? null,
    isPicture: numberOf(objectOf(stream.disposition).attached_pic) === 1,
  };
};

const milliseconds = (seconds: unknown): number => Math.max(0, Math.round(numberOf(seconds) * 1_000));

const chapterOf = (chapter: Json): Chapter => ({
  startMs: milliseconds(chapter.start_time),
  endMs: milliseconds(chapter.end_time),
  title: tagsOf(chapter).get('title') ?? '',
});

/** Turned as it is displayed is known to few files, so width and height are as they are stored. */
const durationOf = (format: Json, streams: readonly Json[]): number | null => {
  const durations = [format, ...streams].map(({ duration }) => milliseconds(duration));
  const longest = Math.max(...durations);
  return longest > 0 ? longest : null;
};

/** No network, no other files, no other demuxer: playlists and links to files are not followed. */
export const inputOf = ({ path }: ReadableFile, { demuxer }: Container): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-f', demuxer, '-max_streams', String(mediaLimits.streams)],
  ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
  ...['-i', `file:${path}`],
];

const damaged = fail(
  'CORRUPT',
  'The recording is damaged or incomplete, and cannot be opened. Export it again and upload that.',
);

export const mediaFailure = ({ kind, errors }: ProgramEnd): Either<ReadFailure, never> => {
  if (kind === 'missing') return fail('INTERNAL', 'This system lacks the program that reads sound and film (ffmpeg).');
  if (kind === 'output') return fail('TOO_LARGE', 'The recording describes itself with more than this system reads.');
  if (/max_streams|streams.*exceed/i.test(errors)) return tooManyStreams;
  return damaged;
};

const tooManyStreams = fail('TOO_LARGE', `The recording has more than ${mediaLimits.streams} tracks.`);

const headBytes = 8_192;

const readContainer = async ({ path }: ReadableFile): Promise<Container | undefined> => {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return containerOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
};

const refusedBy = (
  { durationMs, streams }: ProbedMedia,
  limits: ReadLimits,
): Either<ReadFailure, never> | undefined => {
  if (!streams.some(({ kind }) => kind !== 'other')) return damaged;
  if (streams.length >= mediaLimits.streams) return tooManyStreams;
  if ((durationMs ?? 0) > mediaLimits.durationMs)
    return fail('TOO_LARGE', 'Recordings of more than 24 hours are not read. Split it and upload the parts.');
  if (streams.some(({ width, height }) => width * height > limits.pixels))
    return fail('TOO_LARGE', `Films and covers of more than ${limits.pixels} pixels are not read.`);
  return undefined;
};

/** Refuses what cannot be opened, and what exceeds a limit. */
export const probeMedia = async (file: ReadableFile, limits: ReadLimits): Promise<Either<ReadFailure, ProbedMedia>> => {
  const container = await readContainer(file);
  if (container === undefined)
    return fail(
      'UNSUPPORTED_TYPE',
      'Sound is read as MP3, WAV, FLAC, Ogg, Opus and M4A, film as MP4, MOV, MKV, WebM and AVI. Save it as one of them.',
    );
  const sections = ['-show_format', '-show_streams', '-show_chapters', '-of', 'json'];
  const output = linesOf({
    program: 'ffprobe',
    args: ['-v', 'error', ...sections, ...inputOf(file, container)],
    maxBytes: mediaLimits.probeBytes,
  });
  let json = '';
  let step = await output.next();
  for (; step.done !== true; step = await output.next()) json += step.value;
  if (step.value.kind !== 'exited' || step.value.code !== 0) return mediaFailure(step.value);
  const probed = parseProbe(json, container);
  if (isLeft(probed)) return probed;
  return refusedBy(probed.right, limits) ?? probed;
};

const parseProbe = (json: string, container: Container): Either<ReadFailure, ProbedMedia> => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return damaged;
  }
  const { format: known, streams: listed, chapters } = objectOf(value);
  const format = objectOf(known);
  const streams = listOf(listed);
  // Ogg has its tags at the stream.
  const tags = new Map([...streams.slice(0, 1).flatMap((stream) => [...tagsOf(stream)]), ...tagsOf(format)]);
  return right({
    container,
    durationMs: durationOf(format, streams),
    streams: streams.map(streamOf),
    chapters: listOf(chapters).map(chapterOf),
    tags,
  });
};
