/** Variety: the second passage of a file adds less than the first of another one, and a copy of a passage adds nothing. */
import type { FusedItem } from './fuse';

interface VariedPassage {
  readonly fileId: string;
  readonly content: string;
}

/** Of the score of each further passage of the same file; down to a floor, so that one good file is not driven out by many bad ones. */
const nextOfFile = 0.96;
const leastOfFile = 0.8;
const copied = 0.5;

/** Best first; of equal scores, in the order before. */
export const diversify = <Passage extends VariedPassage>(
  ranked: readonly FusedItem<Passage>[],
): readonly FusedItem<Passage>[] => {
  const ofFile = new Map<string, number>();
  const contents = new Set<string>();
  return ranked
    .map(({ item, score }) => {
      const before = ofFile.get(item.fileId) ?? 0;
      ofFile.set(item.fileId, before + 1);
      const isCopy = contents.has(item.content);
      contents.add(item.content);
      return { item, score: score * Math.max(leastOfFile, nextOfFile ** before) * (isCopy ? copied : 1) };
    })
    .sort((one, other) => other.score - one.score);
};
