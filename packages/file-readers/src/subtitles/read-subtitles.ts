/** Reads a file of subtitles: speech as text, at its time in the film or recording that it belongs to. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { linesOfText } from '../text/decode';
import { readFileText } from '../text/read-file-text';
import { paragraphs } from '../text/read-text';
import { type Cue, parseSubtitles, type SubtitleFormat } from './parse-subtitles';

const elementOf = ({ startMs, endMs, text }: Cue): Element => ({
  kind: 'cue',
  modality: 'text',
  level: null,
  text,
  anchor: { type: 'timestamp', timestampStartMs: startMs, timestampEndMs: endMs, frame: null },
  words: [],
  confidence: null,
});

/** A file without a single time is text like any other. */
export const readSubtitles = (format: SubtitleFormat) =>
  async function* read(
    file: ReadableFile,
    limits: ReadLimits,
  ): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
    const decoded = await readFileText(file, limits);
    if (isLeft(decoded)) return decoded;
    const { text, encoding } = decoded.right;
    const lines = linesOfText(text);
    const cues = parseSubtitles(lines, format);
    yield* cues.length === 0 ? paragraphs(lines) : cues.map(elementOf);
    const durationMs = cues.length === 0 ? null : cues.reduce((last, { endMs }) => Math.max(last, endMs), 0);
    return right(documentFacts({ format: 'text', encoding, durationMs }));
  };
