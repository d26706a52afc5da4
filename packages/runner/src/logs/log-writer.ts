/**
 * The log of one job: text becomes chunks, which are sent until each is acknowledged. What waits is bounded: a writer that is ahead
 * waits, so that the program's pipe fills and the program waits too. Past the bound of time the log fails, and a line of it states that.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Checksum } from '../../../../domain/workflow/ids';
import type { LogChunk } from '../../../../domain/workflow/protocol/runner';
import { openChunker, type TextChunk } from './chunker';

const compress = promisify(gzip);

export type LogSent =
  /** Every chunk before this one is stored. */
  | { readonly kind: 'acknowledged'; readonly next: number }
  | { readonly kind: 'unavailable' }
  /** The service will never take them: another lease is newer, or other bytes have the number. */
  | { readonly kind: 'refused' };

export interface LogLimits {
  /** Of the whole log: beyond it the head and the tail stay. */
  readonly logBytes: number;
  readonly chunkBytes: number;
  readonly chunkMilliseconds: number;
  /** Text that was written and not acknowledged. */
  readonly bufferBytes: number;
  /** How long the buffer may be full without any progress. */
  readonly stallMilliseconds: number;
  /** How long the last chunks may take when the job has ended. */
  readonly drainMilliseconds: number;
}

export interface LogWriterOptions {
  readonly limits: LogLimits;
  /** Never throws. */
  readonly send: (chunks: readonly LogChunk[]) => Promise<LogSent>;
  /** The buffer was full for too long: what is written from now on is dropped. */
  readonly exceeded: () => void;
  readonly signal: AbortSignal;
}

export interface LogWriter {
  /** Resolves when more may be written. Ends no line of itself. */
  readonly write: (text: string) => Promise<void>;
  readonly isExceeded: () => boolean;
  /** Bytes of the log so far, sent or not. */
  readonly size: () => number;
  /** Sends what is left. Resolves with the number of chunks, acknowledged or not. */
  readonly close: () => Promise<{ readonly chunks: number; readonly isComplete: boolean }>;
}

const mostTailBytes = 4 * 2 ** 20;
/** Room for the two lines that state what is missing. */
const markBytes = 512;
const chunksAtOnce = 16;
const retryMilliseconds = { first: 100, longest: 2_000 } as const;

interface WaitingChunk extends TextChunk {
  readonly emittedAt: Instant;
  encoded?: Promise<LogChunk>;
}

/** Gzip where it is smaller. */
const encodeChunk = async ({ chunkOffset, byteStart, byteEnd, bytes, emittedAt }: WaitingChunk): Promise<LogChunk> => {
  const compressed = await compress(bytes);
  const isSmaller = compressed.length < bytes.length;
  return {
    chunkOffset,
    byteStart,
    byteEnd,
    checksum: `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Checksum,
    encoding: isSmaller ? 'gzip' : 'plain',
    payload: (isSmaller ? compressed : bytes).toString('base64'),
    emittedAt,
  };
};

export const openLogWriter = ({ limits, send, exceeded, signal }: LogWriterOptions): LogWriter => {
  const waiting: WaitingChunk[] = [];
  let chunks = 0;
  let bufferedBytes = 0;
  let isExceeded = false;
  let isRefused = false;
  let isPumping = false;
  let flushTimer: NodeJS.Timeout | undefined;
  let stallTimer: NodeJS.Timeout | undefined;
  let resumeWriters: (() => void)[] = [];
  let changed: (() => void)[] = [];

  const notify = (): void => {
    const listeners = changed;
    changed = [];
    for (const listener of listeners) listener();
  };
  const releaseWriters = (): void => {
    clearTimeout(stallTimer);
    stallTimer = undefined;
    const writers = resumeWriters;
    resumeWriters = [];
    for (const resume of writers) resume();
  };
  const armStall = (): void => {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(() => {
      isExceeded = true;
      exceeded();
      releaseWriters();
      notify();
    }, limits.stallMilliseconds);
  };
  const acknowledge = (next: number): boolean => {
    let hasProgress = false;
    for (let first = waiting[0]; first !== undefined && first.chunkOffset < next; first = waiting[0]) {
      waiting.shift();
      bufferedBytes -= first.bytes.length;
      hasProgress = true;
    }
    if (!hasProgress) return false;
    if (bufferedBytes <= limits.bufferBytes) releaseWriters();
    else if (stallTimer !== undefined) armStall();
    notify();
    return true;
  };
  const pauseBefore = (attempt: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(retryMilliseconds.first * 2 ** attempt, retryMilliseconds.longest));
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  const pump = async (): Promise<void> => {
    if (isPumping) return;
    isPumping = true;
    for (let attempt = 0; waiting.length > 0 && !isRefused && !signal.aborted; ) {
      const batch = waiting.slice(0, chunksAtOnce);
      for (const chunk of batch) chunk.encoded ??= encodeChunk(chunk);
      const sent = await send(await Promise.all(batch.map(({ encoded }) => encoded as Promise<LogChunk>)));
      if (sent.kind === 'refused') isRefused = true;
      if (sent.kind === 'acknowledged' && acknowledge(sent.next)) {
        attempt = 0;
        continue;
      }
      if (!isRefused) await pauseBefore(attempt);
      attempt += 1;
    }
    isPumping = false;
    if (isRefused || signal.aborted) releaseWriters();
    notify();
  };
  const chunker = openChunker(limits.chunkBytes, (chunk) => {
    chunks += 1;
    if (isRefused || signal.aborted) return;
    waiting.push({ ...chunk, emittedAt: new Date().toISOString() as Instant });
    bufferedBytes += chunk.bytes.length;
    void pump();
  });
  const flush = (): void => {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    chunker.flush();
  };
  const append = (text: string): void => {
    chunker.push(text);
    flushTimer ??= setTimeout(flush, limits.chunkMilliseconds);
  };

  const tailBytes = Math.min(mostTailBytes, Math.floor(limits.logBytes / 2));
  /** The tail loses whole parts. */
  const partLength = Math.max(2, Math.min(8_192, Math.floor(tailBytes / 8)));
  const headBytes = Math.max(0, limits.logBytes - tailBytes - markBytes);
  let tail: { readonly text: string; readonly bytes: number }[] | undefined;
  let [keptBytes, omittedBytes] = [0, 0];
  const appendToTail = (text: string, bytes: number): void => {
    tail ??= [];
    const last = tail.at(-1);
    // A program that writes single characters makes no entry of each.
    if (last !== undefined && last.text.length + text.length <= partLength)
      tail[tail.length - 1] = { text: last.text + text, bytes: last.bytes + bytes };
    else tail.push({ text, bytes });
    keptBytes += bytes;
    let dropped = 0;
    while (keptBytes > tailBytes) {
      const first = tail[dropped];
      if (first === undefined) break;
      dropped += 1;
      keptBytes -= first.bytes;
      omittedBytes += first.bytes;
    }
    if (dropped > 0) tail.splice(0, dropped);
  };
  /** So much of the text as the head has room for, to the end of a line. */
  const headOf = (text: string): string => {
    const room = headBytes - chunker.size();
    if (Buffer.byteLength(text) <= room) return text;
    // A character has at least one byte, and at most three for each unit of the text.
    const candidate = text.slice(0, Math.max(0, Math.floor(room / 3)));
    return candidate.slice(0, candidate.lastIndexOf('\n') + 1);
  };
  const add = (text: string): void => {
    const head = tail === undefined ? headOf(text) : '';
    if (head !== '') append(head);
    if (head.length === text.length) return;
    if (tail === undefined)
      append(`\n[The log is longer than ${limits.logBytes} bytes. Its last ${tailBytes} follow when the job ends.]\n`);
    for (let from = head.length; from < text.length; ) {
      const half = /[\uD800-\uDBFF]/.test(text.charAt(from + partLength - 1)) ? 1 : 0;
      const part = text.slice(from, from + partLength - half);
      appendToTail(part, Buffer.byteLength(part));
      from += part.length;
    }
  };

  return {
    write: (text) => {
      if (isExceeded || isRefused || text === '') return Promise.resolve();
      add(text);
      if (bufferedBytes <= limits.bufferBytes || signal.aborted) return Promise.resolve();
      if (stallTimer === undefined) armStall();
      return new Promise((resolve) => resumeWriters.push(resolve));
    },
    isExceeded: () => isExceeded,
    size: chunker.size,
    close: async () => {
      if (tail !== undefined) append(`\n[${omittedBytes} bytes of the log are left out here.]\n`);
      for (const { text } of tail ?? []) append(text);
      tail = [];
      if (isExceeded) append('\n[log_buffer_exceeded: the log could not be sent in time; what followed is missing.]\n');
      flush();
      clearTimeout(stallTimer);
      const deadline = performance.now() + limits.drainMilliseconds;
      const timer = setTimeout(notify, limits.drainMilliseconds + 1);
      while (waiting.length > 0 && performance.now() < deadline && !isRefused && !signal.aborted)
        await new Promise<void>((resolve) => changed.push(resolve));
      clearTimeout(timer);
      return { chunks, isComplete: waiting.length === 0 && !isRefused };
    },
  };
};
