/** A value from a file that operators replace while the process runs: read again when it is used, at most once a second. */
import { readFileSync } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Log } from '../../ports/runtime/log';

const rereadMilliseconds = 1_000;

export interface FileText {
  /** The content at the start. */
  readonly text: string;
  /** Absent if a variable has the content, which then does not change. */
  readonly path?: string | undefined;
  readonly log: Log;
  /** Milliseconds, from any origin. */
  readonly now?: () => number;
}

const textAt = (path: string): Either<string, string> => {
  try {
    return right(readFileSync(path, 'utf8').trim());
  } catch (error) {
    return left(`The file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'it is not text'}.`);
  }
};

/**
 * `read` returns a fault that does not quote the content. Unusable content is logged once and the last usable value stays;
 * throws when the first content is unusable.
 */
export const rereadFile = <Value>(file: FileText, read: (text: string) => Either<string, Value>): (() => Value) => {
  const { path, log, now = () => performance.now() } = file;
  const first = read(file.text);
  if (isLeft(first)) throw new Error(first.left);
  let value = first.right;
  if (!path) return () => value;
  let seen: string | undefined = file.text;
  let readAt = now();
  const reread = (): void => {
    const text = textAt(path);
    const content = isLeft(text) ? undefined : text.right;
    if (content === seen) return;
    seen = content;
    const found = isLeft(text) ? text : read(text.right);
    if (isLeft(found)) {
      log.error({ path, fault: found.left }, 'a file is not usable: its last usable content stays');
      return;
    }
    value = found.right;
    log.info({ path }, 'the changed content of a file is in force');
  };
  return () => {
    if (now() - readAt >= rereadMilliseconds) {
      readAt = now();
      reread();
    }
    return value;
  };
};
