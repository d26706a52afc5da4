/** Whatever happened to streams: a scavenge changes nothing that reads of them show, and leaves a log that is whole. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { removableBelow } from '../../../../packages/eventstore-node/src/scavenge/removable';
import {
  createReclaimedSpace,
  type ReclaimedSpace,
  scavenge,
} from '../../../../packages/eventstore-node/src/scavenge/scavenge';
import { formatTimeSpan } from '../../../../packages/eventstore-node/src/scavenge/scavenge-history';
import {
  isReadable,
  lastPositionOf,
  readStreamPage,
} from '../../../../packages/eventstore-node/src/storage/read-pages';
import type { Direction } from '../../../../packages/eventstore-node/src/storage/records/read-record';
import { idOf } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import {
  isTombstoned,
  type StreamHead,
  type StreamHeads,
} from '../../../../packages/eventstore-node/src/storage/streams/stream-heads';
import { checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';
import {
  deleteStream,
  newEvents,
  type StoredLog,
  setMetadata,
  storeEvents,
  withStoredLog,
} from '../../../contracts/eventstore-node/maintenance/stored-log';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const streams = ['a', 'b', '$system', 'n'.repeat(2_000)];
const stream = fc.constantFrom(...streams);
const metadata = fc.constantFrom(
  ...['{"$maxCount":1}', '{"$maxCount":3}', '{"$maxCount":0}', '{"$tb":2}', '{"$tb":100}', '{"$maxAge":0}'],
  ...['{"$maxAge":3600}', '{}', 'no json', '{"$tb":4,"$maxCount":2}'],
);
const act = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('write' as const), stream, fc.integer({ min: 1, max: 40 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('metadata' as const), stream, metadata) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('soft' as const), stream, fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('hard' as const), stream, fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('scavenge' as const), fc.constant(''), fc.constant(0)) },
);
type Act = ReturnType<typeof act.generate>['value'];

const scavengeAll = async (stored: StoredLog): Promise<ReclaimedSpace> => {
  const saved = createReclaimedSpace();
  await scavenge(stored, saved, new AbortController().signal);
  return saved;
};

const perform = async (stored: StoredLog, [kind, name, argument]: Act): Promise<void> => {
  if (kind === 'scavenge') return void (await scavengeAll(stored));
  if (kind === 'soft' || kind === 'hard') return deleteStream(stored, name, kind);
  const done = kind === 'write' ? storeEvents(stored, name, newEvents(argument)) : setMetadata(stored, name, argument);
  // An ended stream takes nothing more.
  await done.catch((error: Error) => assert.equal(error.message, 'stream-deleted'));
};

/** A stream's head and what reads return, in one line. */
const readableOf = ({ storage: { tables, heads } }: StoredLog, name: Buffer, direction: Direction): string => {
  const head = heads.get(name);
  if (!isReadable(head) || isTombstoned(heads, name)) return `${head?.tombstoned}`;
  const ids: string[] = [];
  let from: number | undefined = direction === 'forwards' ? 0 : head.last;
  while (from !== undefined) {
    const page = readStreamPage(tables, { name, head, from, direction, limit: 7 });
    ids.push(...page.records.map(({ bytes }) => idOf(bytes)));
    from = page.next;
  }
  const { number, last, retention } = head;
  return JSON.stringify([number, last, retention, ids]);
};

const readable = (stored: StoredLog): readonly string[] =>
  streams
    .flatMap((name) => [Buffer.from(name), Buffer.from(`$$${name}`)])
    .flatMap((name) => [readableOf(stored, name, 'forwards'), readableOf(stored, name, 'backwards')]);

/** Age is counted in milliseconds: what was just written is too old for `$maxAge` 0 in the next one. */
const nextMillisecond = async (): Promise<void> => {
  const now = Date.now();
  while (Date.now() <= now + 1) await new Promise(setImmediate);
};

describe('scavenge', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('scavenge-model');
  after(() => home.remove());
  let made = 0;

  it('changes nothing that is readable, also after a restart, and leaves nothing for the next one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
        made += 1;
        const directory = join(home.path, String(made));
        const [before, end] = await withStoredLog(directory, async (stored) => {
          for (const one of acts) await perform(stored, one);
          await nextMillisecond();
          const view = readable(stored);
          const last = lastPositionOf(stored.storage.tables);
          await scavengeAll(stored);
          assert.deepEqual(readable(stored), view);
          assert.equal((await scavengeAll(stored)).events, 0);
          return [view, last];
        });
        assert.ok(await checkAll(directory, () => undefined));
        await withStoredLog(directory, async (stored) => {
          assert.deepEqual(readable(stored), before);
          assert.equal(lastPositionOf(stored.storage.tables), end);
        });
      }),
      { numRuns: 40 },
    );
  });

  const head = (fields: Partial<StreamHead>): StreamHead => ({
    number: 64,
    last: 9,
    tombstoned: false,
    retention: {},
    ...fields,
  });
  const below = (name: string, of: StreamHead, owner?: StreamHead): number => {
    const heads: StreamHeads = {
      get: (requested) => (requested.toString() === name ? of : owner),
      set: () => undefined,
    };
    return removableBelow(heads, Buffer.from(name), of);
  };

  for (const [what, removable, expected] of [
    ['nothing without metadata', below('a', head({})), 0],
    ['what $maxCount hides', below('a', head({ retention: { maxCount: 3 } })), 7],
    ['what $tb hides', below('a', head({ retention: { before: 4 } })), 4],
    ['never the last event', below('a', head({ retention: { before: 100 } })), 9],
    ['nor that of a soft-deleted stream', below('a', head({ retention: { before: Number.MAX_SAFE_INTEGER } })), 9],
    ['older metadata', below('$$a', head({})), 9],
    ['all of an ended stream', below('a', head({ tombstoned: true })), Number.POSITIVE_INFINITY],
    ['all metadata of one', below('$$a', head({}), head({ tombstoned: true })), Number.POSITIVE_INFINITY],
  ] as const)
    it(`removes ${what}`, () => assert.equal(removable, expected));

  for (const [milliseconds, text] of [
    [0, '00:00:00'],
    [1.5, '00:00:00.0015000'],
    [61_000, '00:01:01'],
    [90_061_001, '1.01:01:01.0010000'],
    [-5, '00:00:00'],
  ] as const)
    it(`writes ${milliseconds} ms as ${text}`, () => assert.equal(formatTimeSpan(milliseconds), text));
});
