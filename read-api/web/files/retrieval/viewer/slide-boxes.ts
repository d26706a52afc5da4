/** Where the texts of a slide stand, and which of them are cited. */
import type { ListedFileChunk } from '../../../../../packages/client/src/schemas';
import type { CitedPassage } from './cited-passage';
import type { MarkedBox } from './marked-box';
import { segmentsOf } from './segments';

/** Paragraphs of one shape have its region together. Where words are marked, their regions are the cited ones; else all of the passage. */
export const slideBoxesOf = (
  chunk: ListedFileChunk,
  passage: Pick<CitedPassage, 'chunkId' | 'ranges'>,
): readonly MarkedBox[] => {
  const isCited = chunk.chunkId === passage.chunkId;
  const segments = segmentsOf(chunk, isCited ? passage.ranges : []);
  const hasMarks = segments.some(({ ranges }) => ranges.length > 0);
  const boxes = new Map<string, MarkedBox>();
  for (const { region, text, ranges } of segments) {
    if (region === undefined) continue;
    const key = JSON.stringify(region);
    const before = boxes.get(key);
    const isMarked = isCited && (ranges.length > 0 || !hasMarks);
    boxes.set(key, {
      box: region,
      kind: isMarked || before?.kind === 'word' ? 'word' : 'passage',
      text: before?.text === undefined ? text : `${before.text}\n${text}`,
    });
  }
  return [...boxes.values()];
};
