/** Splits bytes into lines, numbered from 1; refuses a line that is too long for memory. */
import { isUtf8 } from 'node:buffer';
import { TransferError } from '../transfer-error';

export interface Line {
  readonly number: number;
  readonly text: string;
}

/** More than any event needs: servers accept 16 MiB, of which JSON may escape each byte with six characters. */
const maxLineBytes = 128 * 1024 * 1024;
const newline = 0x0a;

const textOf = (bytes: Buffer, number: number): string => {
  if (!isUtf8(bytes)) throw new TransferError(`Line ${number} is not UTF-8.`);
  return bytes.toString('utf8');
};

export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Line, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of input) {
    let from = 0;
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, to);
      const bytes = parts.length === 0 ? end : Buffer.concat([...parts, end]);
      yield { number, text: textOf(bytes, number) };
      [parts, length, from, number] = [[], 0, to + 1, number + 1];
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxLineBytes) throw new TransferError(`Line ${number} is longer than any event.`);
  }
  if (length > 0) yield { number, text: textOf(Buffer.concat(parts), number) };
}
