/** Objects out of the cache on disk, or on their way into it. */
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Span } from '../../server/http/streaming/byte-range';
import { type CacheFiles, isIntact } from './cache-files';
import { type CacheEntry, createCacheIndex } from './cache-index';
import type { Fill, FillEnd } from './fill';
import { createFills, type RunningFill, type WantedObject } from './fills';
import { type Origin, type OriginRefusal, readThrough } from './origin';
import { readBlocks } from './read-blocks';

/** `joined`: another request fills it. `through`: it comes from object storage and is not stored here. */
export type CacheUse = 'hit' | 'miss' | 'joined' | 'through';

export interface DescribedObject {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string | undefined;
  readonly use: CacheUse;
}

export interface OpenedObject extends DescribedObject {
  /** Ends with an error where the whole object is not what was stored, before its last bytes. */
  readonly read: (span: Span) => Readable;
  /** Once nothing more is read. */
  readonly release: () => void;
}

export interface ObjectCache {
  readonly open: (wanted: WantedObject) => Promise<Either<OriginRefusal, OpenedObject>>;
  /** Stores nothing. */
  readonly describe: (wanted: WantedObject) => Promise<Either<OriginRefusal, DescribedObject>>;
  /** Of keys that begin so; ends fills and readers, too. Resolves with how many were cached, once their files are gone. */
  readonly purge: (prefix: string) => Promise<number>;
  readonly usage: () => { readonly objects: number; readonly bytes: number; readonly fills: number };
  /** Ends what is being filled. */
  readonly close: () => Promise<void>;
}

export interface CacheMetrics {
  readonly arrived: (bytes: number) => void;
  readonly filled: (end: FillEnd) => void;
  readonly evicted: () => void;
  readonly holds: (held: { readonly objects: number; readonly bytes: number }) => void;
}

export interface ObjectCacheOptions {
  readonly origin: Origin;
  readonly files: CacheFiles;
  readonly maxBytes: number;
  readonly metrics: CacheMetrics;
  readonly mostFills?: number;
}

const streamOf = (bytes: AsyncIterable<Buffer>, { signal }: AbortController): Readable =>
  addAbortSignal(signal, Readable.from(bytes, { objectMode: false }));

interface FillReading extends WantedObject {
  readonly fill: Fill;
  readonly span: Span;
  readonly isReleased: () => boolean;
}

/** As the bytes arrive. Parts of an object follow once the whole was verified: their last bytes are none of which it depends. */
async function* readFill(origin: Origin, reading: FillReading): AsyncGenerator<Buffer> {
  const { key, fill, span, isReleased } = reading;
  const { size, handle } = fill;
  const isWhole = span.length === size;
  const end = span.first + span.length;
  for (let at = span.first; at < end; ) {
    const readable = await fill.waitBeyond(isWhole ? at : size - 1);
    if (isReleased()) return;
    if (readable === 'unwritable') {
      const rest = { first: at, length: end - at };
      yield* readThrough(origin, {
        key,
        size,
        sha256: fill.sha256(),
        span: rest,
        before: isWhole ? handle : undefined,
      });
      return;
    }
    if (typeof readable === 'string') throw new Error(`the object is ${readable}`);
    const length = Math.min(readable, end) - at;
    yield* readBlocks(handle, { first: at, length });
    at += length;
  }
}

export const openObjectCache = async (options: ObjectCacheOptions): Promise<ObjectCache> => {
  const { origin, files, maxBytes, metrics, mostFills = 128 } = options;
  const index = createCacheIndex({ maxBytes, removeFile: files.remove, evicted: metrics.evicted });
  const report = (): void => metrics.holds(index.usage());
  const fills = createFills({
    ...{ origin, files, index, mostFills },
    arrived: metrics.arrived,
    ended: (end) => {
      metrics.filled(end);
      report();
    },
  });
  const found = (await files.scan()).toSorted((one, other) => one.usedAt - other.usedAt);
  for (const file of found) index.adopt(file);
  // Less may be allowed than before.
  await index.reserve(0);
  report();

  const discard = async (entry: CacheEntry): Promise<void> => {
    if (entry.isDropped) return;
    index.drop(entry);
    await files.remove(entry).then(
      () => index.settle(entry),
      () => undefined,
    );
    report();
  };

  /** Undefined: the file is gone, or its bytes are others. */
  const openFile = async (entry: CacheEntry): Promise<FileHandle | undefined> => {
    const handle = await files.open(entry).catch(() => undefined);
    if (handle === undefined) return undefined;
    entry.isVerified ||= await isIntact(handle, entry).catch(() => false);
    if (entry.isVerified && !entry.isDropped) return handle;
    await handle.close();
    return undefined;
  };

  const openEntry = async (entry: CacheEntry): Promise<OpenedObject | undefined> => {
    index.pin(entry);
    const handle = await openFile(entry);
    if (handle === undefined) {
      await discard(entry);
      index.unpin(entry);
      return undefined;
    }
    const { size, sha256, purged } = entry;
    return {
      size,
      sha256,
      use: 'hit',
      read: (span) =>
        streamOf(readBlocks(handle, span), purged).once('error', () => {
          if (!purged.signal.aborted) void discard(entry);
        }),
      release: () => {
        index.unpin(entry);
        void handle.close().catch(() => undefined);
      },
    };
  };

  const openThrough = async ({ key, sha256 }: WantedObject): Promise<Either<OriginRefusal, OpenedObject>> => {
    const info = await origin.head(key);
    if (isLeft(info)) return info;
    const about = { size: info.right.size, sha256: sha256 ?? info.right.sha256 ?? undefined };
    return right({
      ...about,
      use: 'through',
      read: (span) =>
        Readable.from(readThrough(origin, { key, ...about, span, before: undefined }), { objectMode: false }),
      release: () => undefined,
    });
  };

  const openFill = async (
    wanted: WantedObject,
    running: RunningFill,
    use: CacheUse,
  ): Promise<Either<OriginRefusal, OpenedObject>> => {
    running.enter();
    const begun = await running.begun;
    const leaveWith = (refusal: OriginRefusal): Either<OriginRefusal, never> => {
      running.leave();
      return left(refusal);
    };
    if (isLeft(begun)) return leaveWith(begun.left);
    const fill = begun.right;
    if (fill === 'unstorable') {
      running.leave();
      return openThrough(wanted);
    }
    // Only small objects have no digest in their name, and their tag is made of it.
    if (fill.sha256() === undefined && (await fill.ended) === 'unwritable') {
      running.leave();
      return openThrough(wanted);
    }
    if (fill.sha256() === undefined) return leaveWith('away');
    let isReleased = false;
    return right({
      size: fill.size,
      sha256: fill.sha256(),
      use,
      read: (span) =>
        streamOf(readFill(origin, { ...wanted, fill, span, isReleased: () => isReleased }), running.purged),
      release: () => {
        isReleased = true;
        running.leave();
      },
    });
  };

  return {
    open: async (wanted) => {
      const entry = index.find(wanted.key);
      const opened = entry === undefined ? undefined : await openEntry(entry);
      if (opened !== undefined) return right(opened);
      const running = fills.find(wanted.key);
      return running === undefined
        ? openFill(wanted, fills.begin(wanted), 'miss')
        : openFill(wanted, running, 'joined');
    },
    describe: async ({ key, sha256 }) => {
      const entry = index.find(key);
      if (entry !== undefined) return right({ size: entry.size, sha256: entry.sha256, use: 'hit' });
      const info = await origin.head(key);
      if (isLeft(info)) return info;
      return right({ size: info.right.size, sha256: sha256 ?? info.right.sha256 ?? undefined, use: 'through' });
    },
    purge: async (prefix) => {
      const purged = index.withPrefix(prefix);
      for (const entry of purged) {
        index.drop(entry);
        entry.purged.abort();
      }
      await fills.purge(prefix);
      await files.removePrefix(prefix);
      for (const entry of purged) index.settle(entry);
      report();
      return purged.length;
    },
    usage: () => ({ ...index.usage(), fills: fills.count() }),
    close: () => fills.purge(''),
  };
};
