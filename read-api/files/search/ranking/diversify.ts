/**
 * Variety: the second passage of a file adds less than the first of another one, and a copy of a passage adds nothing. What two pipelines made of
 * a file stands apart, while one takes the place of the other: only one of them answers, and it is not known here which.
 */
import type { FusedItem } from './fuse';

interface VariedPassage {
  readonly fileId: string;
  readonly content: string;
  readonly pipelineVersion: number;
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
      const file = `${item.pipelineVersion} ${item.fileId}`;
      const before = ofFile.get(file) ?? 0;
      ofFile.set(file, before + 1);
      const content = `${item.pipelineVersion} ${item.content}`;
      const isCopy = contents.has(content);
      contents.add(content);
      return { item, score: score * Math.max(leastOfFile, nextOfFile ** before) * (isCopy ? copied : 1) };
    })
    .sort((one, other) => other.score - one.score);
};
