/** The cache of an edge under random reads, kills, damages, evictions, purges and outages: held to what object storage has. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { ObjectCache } from '../../../infra/edge/cache/object-cache';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { bytesBelow, edgeCache, readWhole, untilStored, wantedObject } from '../../support/video/edge-cache';
import { memoryOrigin, sha256Of } from '../../support/video/memory-origin';
import { eventually } from '../../support/waiting/eventually';

const maxBytes = 9_000;

/** Bytes that differ by the number, of sizes around those of chunks, one of them too large for the cache. */
const sizes = [0, 1, 999, 1_000, 1_001, 2_500, 4_000, 5_500, 9_000, 9_001];
const objects = sizes.map((size, at) => {
  const seed = createHash('sha512').update(String(at)).digest();
  const bytes = Buffer.alloc(size, seed);
  return { bytes, key: `videos/acme/v-${at % 3}/g1/segments/${sha256Of(bytes)}.m4s` };
});

const object = fc.nat(objects.length - 1);
type Step =
  | { readonly kind: 'read'; readonly at: readonly number[] }
  | { readonly kind: 'leave'; readonly at: number }
  | { readonly kind: 'behave'; readonly how: 'well' | 'away' | 'changed' | 'short' }
  | { readonly kind: 'purge'; readonly video: number }
  | { readonly kind: 'kill' }
  | { readonly kind: 'damage'; readonly at: number; readonly cut: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('read'), at: fc.array(object, { minLength: 1, maxLength: 6 }) }),
  },
  fc.record({ kind: fc.constant('leave'), at: object }),
  fc.record({ kind: fc.constant('behave'), how: fc.constantFrom('well', 'well', 'away', 'changed', 'short') }),
  fc.record({ kind: fc.constant('purge'), video: fc.nat(2) }),
  fc.record({ kind: fc.constant('kill') }),
  fc.record({ kind: fc.constant('damage'), at: fc.nat(20), cut: fc.boolean() }),
);

describe('the cache of an edge, whatever happens to it', function () {
  this.timeout(120_000);
  const root = useTemporaryDirectory('edge-model');
  let count = 0;

  const start = async () => {
    count += 1;
    const directory = join(root, String(count));
    const origin = memoryOrigin();
    for (const { key, bytes } of objects) origin.put(key, bytes);
    let cache: ObjectCache = await edgeCache(origin, { directory, maxBytes });

    /** Whole and right, or not at all; as it is while object storage answers well. */
    const read = async (at: number, isWell: boolean): Promise<void> => {
      const { key, bytes } = objects[at] ?? assert.fail();
      const found = await readWhole(cache, key).catch(() => undefined);
      if (found === undefined || isLeft(found)) assert.ok(!isWell, `${at} was not read`);
      else assert.ok(found.right.equals(bytes), `${at} has other bytes`);
    };
    const leave = async (at: number): Promise<void> => {
      const { key } = objects[at] ?? assert.fail();
      const opened = await cache.open(wantedObject(key));
      if (isLeft(opened)) return;
      const body = opened.right.read({ first: 0, length: opened.right.size }).on('error', () => undefined);
      await body
        .take(1)
        .toArray()
        .catch(() => undefined);
      body.destroy();
      opened.right.release();
    };
    /** Between two processes, as the disk may be after a power cut. */
    const damage = (at: number, isCut: boolean): void => {
      const files = readdirSync(join(directory, 'objects'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const path = files[at % Math.max(1, files.length)];
      if (path === undefined) return;
      const size = Number(path.split('~').at(-1));
      if (isCut) truncateSync(path, Math.floor(size / 2));
      else writeFileSync(path, Buffer.alloc(size, 'x'));
    };
    const restart = async (): Promise<void> => {
      writeFileSync(join(directory, 'partial', 'left'), Buffer.alloc(3_000));
      cache = await edgeCache(origin, { directory, maxBytes });
    };
    let isWell = true;
    const perform = async (one: Step): Promise<void> => {
      switch (one.kind) {
        case 'read':
          return void (await Promise.all(one.at.map((at) => read(at, isWell))));
        case 'leave':
          return leave(one.at);
        case 'behave':
          // Who joins a fill gets what it began with.
          await untilStored(cache);
          isWell = one.how === 'well';
          return origin.behave(one.how === 'short' ? { kind: 'short', bytes: 2_200, breaks: true } : { kind: one.how });
        case 'purge':
          await cache.purge(`videos/acme/v-${one.video}/`);
          return assert.ok(
            !readdirSync(join(directory, 'objects'), { recursive: true })
              .join()
              .includes(`v-${one.video}/g1/segments/`),
          );
        case 'kill':
          await untilStored(cache);
          return restart();
        case 'damage':
          await untilStored(cache);
          damage(one.at, one.cut);
          return restart();
      }
    };
    return {
      perform: async (one: Step): Promise<void> => {
        await perform(one);
        assert.ok(cache.usage().bytes <= maxBytes, `${cache.usage().bytes} bytes`);
        assert.ok(bytesBelow(directory) <= maxBytes, `${bytesBelow(directory)} on disk`);
      },
      /** What counts is what is there. */
      settle: async (): Promise<void> => {
        await untilStored(cache);
        // A partial file is removed a moment after its fill has ended.
        await eventually(async () => {
          const { bytes, objects: entries } = cache.usage();
          const onDisk = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
            entry.isFile(),
          );
          assert.equal(entries, onDisk.length);
          // Damaged files count as whole until they are read.
          assert.equal(
            bytes,
            onDisk.reduce((sum, { name }) => sum + Number(name.split('~').at(-1)), 0),
          );
        });
        origin.behave({ kind: 'well' });
        for (let at = 0; at < objects.length; at += 1) await read(at, true);
      },
    };
  };

  it('answers what object storage has, or nothing, and never takes more of the disk than it may', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { perform, settle } = await start();
        for (const one of steps) await perform(one);
        await settle();
      }),
      { numRuns: 60 },
    ));
});
