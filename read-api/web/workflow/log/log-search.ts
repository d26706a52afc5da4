/** Finds a text in the lines that the page holds: each line once, also while lines are added at both ends. */
import { textOf } from './ansi';
import { contentOf } from './line-kind';
import type { LogLines } from './log-lines';

export interface LogSearch {
  /** Looks at the lines that were added. */
  readonly update: () => void;
  /** Numbers of the lines that have the text, in order. */
  readonly found: () => readonly number[];
}

/** Case does not matter. */
export const patternOf = (text: string): RegExp => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');

export const createLogSearch = (lines: LogLines, text: string): LogSearch => {
  const pattern = patternOf(text);
  let found: number[] = [];
  let [from, to] = [lines.settled(), lines.settled()];
  const search = (begin: number, end: number): number[] => {
    const numbers: number[] = [];
    for (let number = begin; number < end; number += 1) {
      const line = lines.line(number);
      if (line === undefined || line.kind === 'endgroup') continue;
      pattern.lastIndex = 0;
      if (pattern.test(textOf(contentOf(line.text, line.kind)))) numbers.push(number);
    }
    return numbers;
  };
  return {
    update: () => {
      const [first, settled] = [lines.first(), lines.settled()];
      if (first <= from && from < to) {
        // The line that was the first may have got its begin.
        found = search(first, from + 1).concat(found[0] === from ? found.slice(1) : found);
        from = first;
      } else if (first < from) {
        found = search(first, from);
        from = first;
      }
      if (first > from) {
        found = found.filter((number) => number >= first);
        from = first;
      }
      if (settled > to) {
        found = found.concat(search(Math.max(to, first), settled));
        to = settled;
      }
    },
    found: () => found,
  };
};
