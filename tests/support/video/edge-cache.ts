/** The cache of an edge over object storage in memory. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { openCacheFiles } from '../../../infra/edge/cache/cache-files';
import type { WantedObject } from '../../../infra/edge/cache/fills';
import { type ObjectCache, openObjectCache } from '../../../infra/edge/cache/object-cache';
import { type OriginRefusal, openOrigin } from '../../../infra/edge/cache/origin';
import { createEdgeMetrics } from '../../../infra/edge/metrics';
import { eventually } from '../waiting/eventually';
import { noopMetrics } from '../waiting/recording-log';
import type { MemoryOrigin } from './memory-origin';

export interface EdgeCacheSettings {
  readonly directory: string;
  readonly maxBytes?: number;
  readonly milliseconds?: number;
  readonly mostFills?: number;
}

export const edgeCache = (
  blobs: Pick<MemoryOrigin, 'get' | 'head'>,
  { directory, maxBytes = 1_000_000, milliseconds = 2_000, ...others }: EdgeCacheSettings,
): Promise<ObjectCache> =>
  openObjectCache({
    origin: openOrigin({ blobs, milliseconds, refused: () => undefined }),
    files: openCacheFiles(directory),
    maxBytes,
    metrics: createEdgeMetrics(noopMetrics),
    ...others,
  });

/** Reads end before a file is stored. */
export const untilStored = (cache: ObjectCache): Promise<unknown> =>
  eventually(async () => assert.equal(cache.usage().fills, 0));

/** As an edge wants it: with the digest that its name has. */
export const wantedObject = (key: string): WantedObject => ({
  key,
  sha256: /\/([0-9a-f]{64})\.\w+$/.exec(key)?.[1],
});

/** The whole object. Rejects where the answer is cut. */
export const readWhole = async (cache: ObjectCache, key: string): Promise<Either<OriginRefusal, Buffer>> => {
  const opened = await cache.open(wantedObject(key));
  if (isLeft(opened)) return opened;
  const { size, read, release } = opened.right;
  try {
    return right(await buffer(read({ first: 0, length: size })));
  } finally {
    release();
  }
};

/** Of all files below it. */
export const bytesBelow = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
