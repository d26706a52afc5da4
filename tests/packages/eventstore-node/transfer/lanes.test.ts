import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { EventBatch } from '../../../../packages/eventstore-node/src/transfer/event-batch';
import type { LoggedLine } from '../../../../packages/eventstore-node/src/transfer/format/exported-log';
import type { ImportHandlers, NextStreamEvent } from '../../../../packages/eventstore-node/src/transfer/import-queues';
import { createImportQueues } from '../../../../packages/eventstore-node/src/transfer/import-queues';

const line = (stream: string, revision: number, bytes = 2): LoggedLine => ({
  line: revision,
  event: {
    stream: Buffer.from(stream),
    revision,
    id: '3fe40710-9ebf-4651-acbe-f40b2f3674a2',
    type: 'T',
    json: true,
    created: '2026-11-20T12:34:56.123Z',
    position: 64,
    data: Buffer.alloc(bytes),
    metadata: Buffer.alloc(0),
  },
});

const isMetadata = (group: EventBatch): boolean => group.stream.toString().startsWith('$$');

/** What was put, in the order in which it was begun. */
const recording = (waits: ImportHandlers['mustWait'] = () => false) => {
  const put: { readonly stream: string; readonly revisions: readonly number[]; readonly following: NextStreamEvent }[] =
    [];
  const active = new Set<string>();
  const lanes = createImportQueues({
    mustWait: waits,
    importBatch: async ({ stream, lines }, following) => {
      const owner = stream.toString().replace('$$', '');
      assert.ok(!active.has(owner), 'two at once');
      active.add(owner);
      put.push({ stream: stream.toString(), revisions: lines.map(({ event }) => event.revision), following });
      await new Promise(setImmediate);
      active.delete(owner);
    },
  });
  return { put, lanes };
};

const addAll = async ({ lanes }: ReturnType<typeof recording>, lines: Iterable<LoggedLine>): Promise<void> => {
  for (const each of lines) await lanes.add(each);
  await lanes.finish();
};

describe('the lanes of an import', () => {
  it('put every event in, each stream in its order and one group at a time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', '$$a', '$$b', 'c'), { maxLength: 200 }), async (streams) => {
        const all = recording();
        await addAll(
          all,
          streams.map((stream, index) => line(stream, index)),
        );
        for (const name of new Set(streams)) {
          const expected = streams.flatMap((stream, index) => (stream === name ? [index] : []));
          const there = all.put.filter(({ stream }) => stream === name).flatMap(({ revisions }) => revisions);
          assert.deepEqual(there, expected);
        }
      }),
    ));

  it('put neighbours in together, up to what one append takes', async () => {
    const all = recording();
    await addAll(
      all,
      Array.from({ length: 1_200 }, (_, index) => line('a', index)),
    );
    assert.deepEqual(
      all.put.map(({ revisions }) => revisions.length),
      [500, 500, 200],
    );
    const large = recording();
    await addAll(
      large,
      Array.from({ length: 4 }, (_, index) => line('a', index, 500_000)),
    );
    assert.deepEqual(
      large.put.map(({ revisions }) => revisions.length),
      [2, 2],
    );
  });

  it('let metadata go first where events wait for it, and say what follows metadata', async () => {
    const all = recording((group) => !isMetadata(group) && !all.put.some(({ stream }) => stream === '$$a'));
    await addAll(all, [line('a', 0), line('b', 0), line('$$a', 0)]);
    const lane = all.put.filter(({ stream }) => stream !== 'b');
    assert.deepEqual(
      lane.map(({ stream }) => stream),
      ['$$a', 'a'],
    );
    assert.deepEqual(lane[0]?.following, line('a', 0));
  });

  it('wait for nothing that is not there, however much of it', async () => {
    const all = recording(isMetadata);
    const lines = Array.from({ length: 60_000 }, (_, index) =>
      line(index % 2 === 0 ? `$$s-${index}` : `t-${index}`, 0),
    );
    await addAll(all, lines);
    assert.equal(all.put.length, lines.length);
    assert.deepEqual(
      [
        ...new Set(all.put.filter(({ stream }) => stream.startsWith('$$')).map(({ following }) => following)),
      ].toSorted(),
      ['none', 'unknown'],
    );
  });

  it('stop at the first failure, once all that was begun is over', async () => {
    let active = 0;
    const lanes = createImportQueues({
      mustWait: () => false,
      importBatch: async ({ stream }) => {
        active += 1;
        await new Promise(setImmediate);
        active -= 1;
        if (stream.toString() === 's-3') throw new Error('refused');
      },
    });
    for (let index = 0; index < 10; index += 1) await lanes.add(line(`s-${index}`, 0));
    await assert.rejects(lanes.finish(), /refused/);
    assert.equal(active, 0);
    await assert.rejects(async () => lanes.add(line('s', 0)), /refused/);
  });
});
