/** The chunks of a log that the page holds, as lines: opened at the end, read upwards, and followed, each chunk once. */

import type { LogMessage } from '../../../../packages/client/src/schemas';
import { createLogLines, type LogLines } from './log-lines';

export interface LogContent {
  /** Undefined before the first chunk. */
  readonly lines: () => LogLines | undefined;
  /** The chunk after the last. */
  readonly next: () => number;
  /** Adds a chunk after the last; chunks that are already there are ignored. */
  readonly append: (chunk: LogMessage) => void;
  /** Adds chunks before the first. False: there is no room for them. */
  readonly prepend: (chunks: readonly LogMessage[]) => boolean;
}

/** Chunks follow each other without a gap, unless some were never stored. It is within a line, so that lines keep their numbers. */
const gapMark = (bytes: number): string => (bytes > 0 ? `\x1b[7m… ${bytes} bytes are left out …\x1b[0m` : '');

export const createLogContent = (limits?: Parameters<typeof createLogLines>[1]): LogContent => {
  let lines: LogLines | undefined;
  let next = 0;
  let [firstByte, lastByte] = [0, 0];
  return {
    lines: () => lines,
    next: () => next,
    append: ({ chunkOffset, byteOffsetStart, byteOffsetEnd, lineStart, text }) => {
      if (chunkOffset < next) return;
      if (lines === undefined) {
        lines = createLogLines(lineStart + 1, limits);
        firstByte = byteOffsetStart;
        lastByte = byteOffsetStart;
      }
      lines.append(gapMark(byteOffsetStart - lastByte) + text);
      next = chunkOffset + 1;
      lastByte = byteOffsetEnd;
    },
    prepend: (chunks) => {
      const [first] = chunks;
      if (lines === undefined || first === undefined) return true;
      let byte = first.byteOffsetStart;
      let whole = '';
      for (const { byteOffsetStart, byteOffsetEnd, text } of chunks) {
        whole += gapMark(byteOffsetStart - byte) + text;
        byte = byteOffsetEnd;
      }
      if (!lines.prepend(whole + gapMark(firstByte - byte))) return false;
      firstByte = first.byteOffsetStart;
      return true;
    },
  };
};
