/** A chunk of a log with the number of its first line. */
import type { LogMessage } from '../../../../packages/client/src/schemas';

export interface LogChunk extends LogMessage {
  /** How many line feeds are before it. */
  readonly lineStart: number;
}

const lineFeedsOf = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** Of chunks that follow each other. */
export const lineCounter = (begin = 0) => {
  let lineStart = begin;
  return (chunk: LogMessage): LogChunk => {
    const counted = { ...chunk, lineStart };
    lineStart += lineFeedsOf(chunk.text);
    return counted;
  };
};
