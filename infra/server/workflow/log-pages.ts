/** Pages of a log as text. Viewers that wait at the same place read it together: one query and one decoding for all of them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { JobId, RunId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import type {
  LogExpired,
  LogLocation,
  LogReader,
  LogState,
  LogStoreFault,
  StoredChunk,
} from '../../ports/workflow/log-store';
import { bytesOfChunk, decodeChunk, longestCarry } from './chunk-text';

/**
 * The specification's LogMessage. Offsets are bytes of the uncompressed text; `chunkOffset` numbers chunks from 0. `lineStart`: how many line
 * feeds are before the chunk, so that lines can be numbered wherever reading begins.
 */
export const LogMessageFields = {
  runId: RunId,
  jobId: JobId,
  chunkOffset: integer(0),
  byteOffsetStart: integer(0),
  byteOffsetEnd: integer(0),
  lineStart: integer(0),
  text: text('LogText', { minLength: 0, maxLength: limits.logChunkBytes + longestCarry }),
  emittedAt: Instant,
};
export const LogMessage = record('LogMessage', LogMessageFields);
export type LogMessage = TypeOf<typeof LogMessage>;

export interface LogPage {
  readonly messages: readonly LogMessage[];
  /** Its first chunk. */
  readonly from: number;
  /** The first chunk after it. */
  readonly next: number;
  readonly state: LogState;
}

/** Of text in one page: what one viewer has in memory at a time. */
const pageBytes = 262_144;

const toMessages = ({ runId, jobId }: LogLocation, chunks: readonly StoredChunk[], from: number): LogMessage[] => {
  const messages: LogMessage[] = [];
  let carry: Uint8Array = new Uint8Array();
  for (const chunk of chunks) {
    const decoded = decodeChunk(carry, bytesOfChunk(chunk, limits.logChunkBytes));
    carry = decoded.carry;
    const { chunkOffset, byteStart, byteEnd, lineStart, emittedAt } = chunk;
    if (chunkOffset < from) continue;
    const range = { byteOffsetStart: byteStart, byteOffsetEnd: byteEnd, lineStart };
    messages.push({ runId, jobId, chunkOffset, ...range, text: decoded.text, emittedAt });
  }
  return messages;
};

export interface LogPages {
  readonly read: (log: LogLocation, from: number) => Promise<Either<LogStoreFault | LogExpired, LogPage>>;
  /** The page that ends right before that chunk. */
  readonly readBefore: (log: LogLocation, before: number) => Promise<Either<LogStoreFault | LogExpired, LogPage>>;
}

export const openLogPages = (logs: Pick<LogReader, 'read' | 'readBefore'>): LogPages => {
  const reading = new Map<string, Promise<Either<LogStoreFault | LogExpired, LogPage>>>();

  /** A character may begin up to three chunks before `from`. They are read with it, and count no bytes of the page. */
  const readOnce = async (log: LogLocation, from: number): Promise<Either<LogStoreFault | LogExpired, LogPage>> => {
    const begin = Math.max(0, from - longestCarry);
    const page = await logs.read(log, begin, pageBytes + (from - begin) * limits.logChunkBytes);
    if (isLeft(page)) return page;
    const { chunks, state } = page.right;
    const messages = toMessages(log, chunks, from);
    return right({ messages, from, next: (messages.at(-1)?.chunkOffset ?? from - 1) + 1, state });
  };

  /** The first chunks of what is read complete a character only, unless the log begins with them. */
  const readBeforeOnce = async (
    log: LogLocation,
    before: number,
  ): Promise<Either<LogStoreFault | LogExpired, LogPage>> => {
    const page = await logs.readBefore(log, before, pageBytes + longestCarry * limits.logChunkBytes);
    if (isLeft(page)) return page;
    const { chunks, state } = page.right;
    const first = chunks[0]?.chunkOffset ?? 0;
    const end = chunks.at(-1)?.byteEnd ?? 0;
    const complete = chunks.filter(({ chunkOffset }) => first === 0 || chunkOffset >= first + longestCarry);
    const fits = complete.find(({ byteStart }) => end - byteStart <= pageBytes) ?? complete.at(-1);
    const from = fits?.chunkOffset ?? 0;
    const messages = toMessages(log, chunks, from);
    return right({ messages, from, next: (messages.at(-1)?.chunkOffset ?? from - 1) + 1, state });
  };

  const share = (key: string, read: () => Promise<Either<LogStoreFault | LogExpired, LogPage>>) => {
    const known = reading.get(key);
    if (known !== undefined) return known;
    const page = read().finally(() => reading.delete(key));
    reading.set(key, page);
    return page;
  };
  const keyOf = ({ tenantId, jobId, attempt }: LogLocation): string => `${tenantId} ${jobId} ${attempt}`;
  return {
    read: (log, from) => share(`${keyOf(log)} ${from}`, () => readOnce(log, from)),
    readBefore: (log, before) => share(`${keyOf(log)} <${before}`, () => readBeforeOnce(log, before)),
  };
};
