/** The parts of a passage that have places of their own: texts of a slide, lines of speech. */
import type { FileChunk } from '../../../../../packages/client/src/schemas';
import type { TextRange } from '../found-words';

export interface Segment extends Omit<FileChunk['segments'][number], 'start' | 'length'> {
  readonly text: string;
  /** What is marked of the text. */
  readonly ranges: readonly TextRange[];
}

/** Without parts, of files that an older version processed, the passage is one, at its own place. */
export const segmentsOf = (
  { content, segments, citation }: Pick<FileChunk, 'content' | 'segments' | 'citation'>,
  ranges: readonly TextRange[],
): readonly Segment[] => {
  const { boundingBox, timestampStartMs, timestampEndMs } = citation;
  const place = {
    ...(boundingBox === undefined ? {} : { region: boundingBox }),
    ...(timestampStartMs === undefined ? {} : { timestampStartMs }),
    ...(timestampEndMs === undefined ? {} : { timestampEndMs }),
  };
  const parts = segments.length > 0 ? segments : [{ start: 0, length: content.length, ...place }];
  return parts.map(({ start, length, ...at }) => ({
    ...at,
    text: content.slice(start, start + length),
    ranges: ranges.flatMap((range) => {
      const from = Math.max(range.start, start);
      const to = Math.min(range.start + range.length, start + length);
      return from < to ? [{ start: from - start, length: to - from }] : [];
    }),
  }));
};

/** The part with most of what is marked; else the first. */
export const bestSegment = (segments: readonly Segment[]): Segment | undefined => {
  let best = segments[0];
  for (const segment of segments) if (segment.ranges.length > (best?.ranges.length ?? 0)) best = segment;
  return best;
};
