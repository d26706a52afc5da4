/** Runs recognition to its end, and holds what it answers to the contract. */
import assert from 'node:assert/strict';
import type { Box } from '../../../../domain/files/content/anchor';
import { Element } from '../../../../domain/files/content/element';
import type { Recognition, RecognitionEnd } from '../../../../packages/file-readers/src';

export interface Recognised {
  readonly elements: readonly Element[];
  readonly end: RecognitionEnd;
}

const holds = (line: Box, word: Box): boolean =>
  word.x >= line.x - 0.0001 &&
  word.y >= line.y - 0.0001 &&
  word.x + word.w <= line.x + line.w + 0.0001 &&
  word.y + word.h <= line.y + line.h + 0.0001;

export const boxesOf = ({ anchor }: Element): readonly Box[] => {
  if (anchor.type === 'image_region') return anchor.boxes;
  return anchor.type === 'page' ? anchor.boxes.map(({ box }) => box) : [];
};

/** Each word stands in one of the lines, and is that part of the text. */
export const recognised = async (recognition: Recognition): Promise<Recognised> => {
  const elements: Element[] = [];
  let step = await recognition.next();
  for (; step.done !== true; step = await recognition.next()) {
    const element = step.value;
    assert.ok(Element.is(element), JSON.stringify(element).slice(0, 500));
    for (const { start, length, box } of element.words) {
      assert.match(element.text.slice(start, start + length), /^\S+$/);
      assert.ok(boxesOf(element).some((line) => holds(line, box)));
    }
    elements.push(element);
  }
  return { elements, end: step.value };
};

/** Where the picture of `files/turned` shows each of its lines. */
const displayedLines: readonly { readonly text: string; readonly boxes: readonly Box[] }[] = [
  { text: 'Harbour Office', boxes: [{ x: 0.067, y: 0.097, w: 0.336, h: 0.064 }] },
  {
    text: 'The ferry leaves at nine from the northern quay.',
    boxes: [
      { x: 0.0625, y: 0.486, w: 0.555, h: 0.081 },
      { x: 0.064, y: 0.596, w: 0.55, h: 0.082 },
    ],
  },
  { text: 'Page seven', boxes: [{ x: 0.598, y: 0.85, w: 0.26, h: 0.078 }] },
];

/** Two pixels of the picture's 360. */
const tolerance = 0.006;

export const assertDisplayedLines = (elements: readonly Element[]): void => {
  assert.deepEqual(
    elements.map(({ text }) => text),
    displayedLines.map(({ text }) => text),
  );
  for (const [index, element] of elements.entries()) {
    const expected = displayedLines[index]?.boxes ?? [];
    const found = boxesOf(element);
    assert.equal(found.length, expected.length);
    for (const [line, box] of found.entries())
      for (const side of ['x', 'y', 'w', 'h'] as const)
        assert.ok(
          Math.abs(box[side] - (expected[line]?.[side] ?? 0)) < tolerance,
          `${element.text}: ${JSON.stringify(box)}, not ${JSON.stringify(expected[line])}`,
        );
  }
};

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

/** How much of the words of one text another has. */
export const sharedWords = (expected: string, found: string): number => {
  const words = [...wordsIn(expected)];
  const others = wordsIn(found);
  return words.filter((word) => others.has(word)).length / words.length;
};
