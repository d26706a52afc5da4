/** Object storage as the cache uses it: with a limit on each wait, and with fewer ways to refuse. */
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { BlobFault, BlobInfo, BlobStore, ByteRange } from '../../ports/blob-store';
import type { Span } from '../../server/http/streaming/byte-range';
import { withinMilliseconds } from '../../server/runtime/within-milliseconds';
import { readBlocks } from './read-blocks';

/** `away`: it does not answer, or too many fills are under way. */
export type OriginRefusal = 'unknown' | 'away' | 'damaged';

type Answer<Value> = Promise<Either<OriginRefusal, Value>>;

export interface OriginContent {
  readonly info: BlobInfo;
  readonly length: number;
  /** Ends with an error when nothing arrives for too long, or the request is stopped. */
  readonly chunks: AsyncIterable<Buffer>;
}

export interface OriginRequest {
  readonly key: string;
  readonly range?: ByteRange;
  /** Ends the request; the reader aborts it where it stops reading. */
  readonly stop: AbortController;
}

export interface Origin {
  readonly head: (key: string) => Answer<BlobInfo>;
  readonly get: (request: OriginRequest) => Answer<OriginContent>;
}

const refusalOf = (code: string): OriginRefusal => {
  if (code === 'blob-unknown' || code === 'blob-key-refused') return 'unknown';
  return (code as BlobFault['code']) === 'blob-damaged' ? 'damaged' : 'away';
};

export interface OriginOptions {
  readonly blobs: Pick<BlobStore, 'get' | 'head'>;
  /** Longest wait for an answer, and for its next bytes. */
  readonly milliseconds: number;
  readonly refused: (refusal: OriginRefusal) => void;
}

/** Does not rely on the body to end when it is destroyed: one whose source hangs does not. */
async function* untilIdle(body: Readable, stop: AbortController, milliseconds: number): AsyncGenerator<Buffer> {
  const { signal } = stop;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('object storage was not read to the end')), { once: true });
  });
  stopped.catch(() => undefined);
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const readNext = async (): Promise<IteratorResult<Buffer>> => {
    const idle = setTimeout(() => stop.abort(), milliseconds);
    try {
      return await Promise.race([iterator.next(), stopped]);
    } finally {
      clearTimeout(idle);
    }
  };
  try {
    signal.throwIfAborted();
    for (let next = await readNext(); next.done !== true; next = await readNext())
      if (next.value.length > 0) yield next.value;
  } finally {
    body.destroy();
  }
}

export const openOrigin = ({ blobs, milliseconds, refused }: OriginOptions): Origin => {
  const refuse = ({ code }: { readonly code: string }): Either<OriginRefusal, never> => {
    const refusal = refusalOf(code);
    refused(refusal);
    return left(refusal);
  };
  const late = { code: 'late' };
  return {
    head: async (key) => {
      const info = (await withinMilliseconds(blobs.head(key), milliseconds)) ?? left(late);
      return isLeft(info) ? refuse(info.left) : info;
    },
    get: async ({ stop, ...request }) => {
      const timer = setTimeout(() => stop.abort(), milliseconds);
      const content = await blobs.get({ ...request, signal: stop.signal });
      clearTimeout(timer);
      if (isLeft(content)) return refuse(content.left);
      const { info, length, body } = content.right;
      // One that has no reader, too.
      stop.signal.addEventListener('abort', () => body.destroy(), { once: true });
      body.on('error', () => undefined);
      return right({ info, length, chunks: untilIdle(body, stop, milliseconds) });
    },
  };
};

export interface ThroughRequest {
  readonly key: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string | undefined;
  readonly span: Span;
  /** Holds the bytes before the span. Undefined where the span begins the object, or a part is wanted. */
  readonly before: FileHandle | undefined;
}

/** Thrown: the answer is cut. */
class OriginFailed extends Error {}

const hashBefore = async ({ before, span }: ThroughRequest): Promise<Hash> => {
  const hash = createHash('sha256');
  if (before === undefined) return hash;
  for await (const block of readBlocks(before, { first: 0, length: span.first })) hash.update(block);
  return hash;
};

/** Straight from object storage. The last bytes of an object follow once all of it was held to its digest. */
export async function* readThrough(origin: Origin, request: ThroughRequest): AsyncGenerator<Buffer> {
  const { key, size, sha256, span, before } = request;
  const range = span.length < size ? { range: { first: span.first, last: span.first + span.length - 1 } } : {};
  const stop = new AbortController();
  const content = await origin.get({ key, ...range, stop });
  if (isLeft(content)) throw new OriginFailed(content.left);
  const { info, chunks, length } = content.right;
  try {
    if (info.size !== size || length !== span.length) throw new OriginFailed('the size is another one');
    const hash = await hashBefore(request);
    const endsWhole = span.first + span.length === size && (span.first === 0 || before !== undefined);
    let delayed: Buffer | undefined;
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (delayed !== undefined) yield delayed;
      delayed = chunk;
    }
    if (endsWhole && sha256 !== undefined && hash.digest('hex') !== sha256) throw new OriginFailed('the bytes differ');
    if (delayed !== undefined) yield delayed;
  } finally {
    stop.abort();
  }
}
