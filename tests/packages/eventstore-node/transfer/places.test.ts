import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import {
  openStreamProgress,
  type StreamProgress,
} from '../../../../packages/eventstore-node/src/transfer/stream-progress';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const place = (next: number): StreamProgress => ({
  source: next,
  next,
  softDeleted: false,
  isConflicting: false,
  isRenumbered: true,
});
/** Among them names that begin alike and are too long for a key. */
const names = ['a', 'b', '$$a', `${'n'.repeat(4_000)}1`, `${'n'.repeat(4_000)}2`, 'n'.repeat(256)] as const;

describe('the places of streams', () => {
  it('are found again, in memory or moved out of it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(9))),
        fc.integer({ min: 1, max: 3 }),
        async (changes, most) => {
          const places = openStreamProgress(most);
          const expected = new Map<string, StreamProgress>();
          for (const [name, next] of changes) {
            places.set(Buffer.from(name), place(next));
            expected.set(name, place(next));
            for (const each of names) {
              const found = places.get(Buffer.from(each));
              if (expected.has(each)) assert.deepEqual(found, expected.get(each));
              else assert.equal(found.source, -1);
            }
          }
          await places.close();
        },
      ),
      { numRuns: 30 },
    ));

  it('leave no file behind', async () => {
    const { path: own, remove } = temporaryDirectory('places');
    const usual = process.env.TMPDIR;
    process.env.TMPDIR = own;
    const places = openStreamProgress(1);
    places.set(Buffer.from('a'), place(1));
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    assert.equal(readdirSync(own).length, 1);
    await places.close();
    assert.deepEqual(readdirSync(own), []);
    remove();
  });
});
