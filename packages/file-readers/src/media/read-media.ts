/** Reads sound and films: what the file states of itself, its chapters, and its subtitles with their times. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import type { Cue } from '../subtitles/parse-subtitles';
import { cleanLine, titleText } from '../text-cleaning';
import { withinTextLimit } from '../text-limit';
import { extractSubtitles, isTextTrack } from './embedded-subtitles';
import { mediaLimits } from './limits';
import { type Chapter, type ProbedMedia, probeMedia, type Stream } from './probe';

type Timed = Pick<Element, 'kind' | 'level' | 'text'> & Pick<Cue, 'startMs' | 'endMs'>;

const filmOf = ({ streams }: ProbedMedia): Stream | undefined =>
  streams.find(({ kind, isPicture }) => kind === 'video' && !isPicture);

/** Elements of a recording: what has a frame is a film. */
const openElements = (media: ProbedMedia) => {
  const film = filmOf(media);
  const frameRate = film?.frameRate ?? null;
  return ({ kind, level, text, startMs, endMs }: Timed): Element => ({
    ...{ kind, level, text },
    modality: film === undefined ? 'audio' : 'video',
    anchor: {
      type: 'timestamp',
      timestampStartMs: startMs,
      timestampEndMs: endMs,
      frame: frameRate === null ? null : frameAt(startMs, frameRate),
    },
    words: [],
    confidence: null,
  });
};

/** The one that is shown at that time; by the average rate, as the times of single frames are known to a decoder only. */
export const frameAt = (milliseconds: number, frameRate: number): number =>
  // Rates such as 30000/1001 are not exact in binary.
  Math.floor((milliseconds * frameRate) / 1_000 + 1e-6);

/** Names of tags, as ffprobe has them, and what they are called for people. */
const describing: readonly (readonly [tag: string, label: string])[] = [
  ['artist', 'Artist'],
  ['album_artist', 'Album artist'],
  ['composer', 'Composer'],
  ['album', 'Album'],
  ['show', 'Show'],
  ['genre', 'Genre'],
  ['date', 'Date'],
  ['publisher', 'Publisher'],
  ['copyright', 'Copyright'],
  ['description', 'Description'],
  ['synopsis', 'Synopsis'],
  ['comment', 'Comment'],
  ['lyrics', 'Lyrics'],
];

const clockOf = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
};

const describeMedia = (media: ProbedMedia): string => {
  const film = filmOf(media);
  const length = media.durationMs === null ? '' : `, ${clockOf(media.durationMs)}`;
  return film === undefined ? `Sound recording${length}` : `Film${length}, ${film.width} × ${film.height} pixels`;
};

const lyricsOf = (tags: ProbedMedia['tags']): string =>
  [...tags].find(([name]) => name.startsWith('lyrics'))?.[1] ?? '';

/** What the file states of itself, and what it is: so that it is found by its words where nothing else is in it. */
const metadataOf = (media: ProbedMedia, title: string | null): readonly Timed[] => {
  const whole = { startMs: 0, endMs: media.durationMs ?? 0 };
  const described = describing.flatMap(([tag, label]) => {
    const value = tag === 'lyrics' ? lyricsOf(media.tags) : (media.tags.get(tag) ?? '');
    const lines = value
      .split(/\r\n|[\r\n]/)
      .map((line) => cleanLine(line).trim())
      .filter((line) => line !== '');
    return lines.length === 0 ? [] : [`${label}: ${lines.join('\n')}`];
  });
  const text = [describeMedia(media), ...described].join('\n');
  const heading: readonly Timed[] = title === null ? [] : [{ kind: 'title', level: null, text: title, ...whole }];
  return [...heading, { kind: 'paragraph', level: null, text, ...whole }];
};

const chapterTitle = ({ title }: Chapter): string => titleText(title) ?? '';

/** Chapters are above their speech; without subtitles they are all that is known. */
const withChapters = (cues: readonly Cue[], chapters: readonly Chapter[]): readonly Timed[] => {
  const spoken = cues.map((cue): Timed => ({ kind: 'cue', level: null, ...cue }));
  const named = chapters.filter((chapter) => chapterTitle(chapter) !== '');
  const kind = cues.length === 0 ? 'caption' : 'heading';
  const level = kind === 'heading' ? 2 : null;
  const headed = named.map(
    (chapter): Timed => ({
      ...{ kind, level, text: chapterTitle(chapter) },
      ...{ startMs: chapter.startMs, endMs: Math.max(chapter.startMs, chapter.endMs) },
    }),
  );
  // Stable: a chapter stands before what begins with it.
  return [...headed, ...spoken].toSorted((one, other) => one.startMs - other.startMs);
};

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

const trackTitle = ({ title, language }: Stream, number: number): string => {
  const known = titleText(title);
  if (known !== null) return `Subtitles: ${known}`;
  try {
    const name = language === null || language === 'und' ? undefined : languages.of(language);
    return `Subtitles: ${name ?? language ?? number}`;
  } catch {
    return `Subtitles: ${number}`;
  }
};

interface ReadTracks {
  readonly tracks: readonly { readonly title: string; readonly cues: readonly Cue[] }[];
  readonly notices: readonly string[];
}

const readTracks = async (file: ReadableFile, media: ProbedMedia): Promise<Either<ReadFailure, ReadTracks>> => {
  const subtitles = media.streams.filter(({ kind }) => kind === 'subtitle');
  const readable = subtitles.filter(isTextTrack);
  const tracks: { readonly title: string; readonly cues: readonly Cue[] }[] = [];
  for (const [at, track] of readable.slice(0, mediaLimits.subtitleTracks).entries()) {
    const cues = await extractSubtitles(file, media, track);
    if (isLeft(cues)) return cues;
    if (cues.right.length > 0) tracks.push({ title: trackTitle(track, at + 1), cues: cues.right });
  }
  const notices = [
    ...(readable.length < subtitles.length ? ['Subtitles that are pictures are not read.'] : []),
    ...(readable.length > mediaLimits.subtitleTracks
      ? [`Of ${readable.length} tracks of subtitles the first ${mediaLimits.subtitleTracks} are read.`]
      : []),
  ];
  return right({ tracks, notices });
};

const factsOf = (media: ProbedMedia, title: string | null, { tracks, notices }: ReadTracks): DocumentFacts => {
  const film = filmOf(media);
  const displayed = film !== undefined && film.width > 0 && film.height > 0 ? film : undefined;
  return {
    ...documentFacts({
      format: media.container.format,
      title,
      width: displayed?.width ?? null,
      height: displayed?.height ?? null,
      durationMs: media.durationMs,
      notices: media.chapters.length > mediaLimits.chapters ? [...notices, 'Not all chapters are read.'] : notices,
    }),
    hasSound: media.streams.some(({ kind }) => kind === 'audio'),
    hasSubtitles: tracks.length > 0,
  };
};

async function* mediaElements(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const probed = await probeMedia(file, limits);
  if (isLeft(probed)) return probed;
  const media = probed.right;
  const title = titleText(media.tags.get('title'));
  const elementOf = openElements(media);
  yield* metadataOf(media, title).map(elementOf);
  const read = await readTracks(file, media);
  if (isLeft(read)) return read;
  const chapters = media.chapters.slice(0, mediaLimits.chapters);
  const { tracks } = read.right;
  if (tracks.length === 0) yield* withChapters([], chapters).map(elementOf);
  for (const { title: text, cues } of tracks) {
    // Time begins again with each track.
    if (tracks.length > 1) yield elementOf({ kind: 'heading', level: 1, text, startMs: 0, endMs: 0 });
    yield* withChapters(cues, chapters).map(elementOf);
  }
  return right(factsOf(media, title, read.right));
}

export const readMedia = (
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> => withinTextLimit(mediaElements(file, limits), limits);
