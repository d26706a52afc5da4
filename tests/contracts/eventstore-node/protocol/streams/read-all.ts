/** Reading `$all`: positions, both ways. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { threw } from '../harness/expected-errors';
import { append, failure, read, softDelete } from '../harness/raw-calls';
import type { ReadBy } from '../harness/read-requests';
import { appended, eventsOf, positionOf, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';

const notBoundary = failure(status.UNKNOWN, 'Unexpected ReadAllResult: Error');

export const readAllContract = ({ raw }: Server): void => {
  const written = async (count: number) => {
    const stream = freshStream('all');
    const { position } = appended(await append(raw(), { stream, events: several(count) }));
    const positions = eventsOf(await read(raw(), { stream, count })).map((event) => BigInt(event.getCommitPosition()));
    return { stream, positions, last: position };
  };
  const commits = async (by: ReadBy): Promise<readonly bigint[]> =>
    eventsOf(await read(raw(), by)).map((event) => BigInt(event.getCommitPosition()));

  it('reads forwards from a position with the event there, in the order of the log', async () => {
    const { positions, last } = await written(5);
    const { stream: other } = await written(1);
    const found = eventsOf(await read(raw(), { from: positions[1] ?? 0n, count: 5 }));
    assert.deepEqual(
      found.slice(0, 4).map((event) => BigInt(event.getCommitPosition())),
      positions.slice(1),
    );
    assert.equal(positions.at(-1), last);
    assert.equal(Buffer.from(found.at(-1)?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(), other);
  });

  it('reads backwards from a position without the event there', async () => {
    const { positions } = await written(5);
    const before = await commits({ from: positions[3] ?? 0n, backwards: true, count: 3 });
    assert.deepEqual(before, positions.slice(0, 3).toReversed());
  });

  it('reads backwards from the end, newest first, and nothing from the start', async () => {
    const { positions } = await written(3);
    assert.deepEqual(await commits({ from: 'end', backwards: true, count: 3 }), positions.toReversed());
    assert.deepEqual(textsOf(await read(raw(), { from: 'start', backwards: true, count: 3 })), []);
  });

  it('answers nothing beyond the end, and no last position', async () => {
    const { last } = await written(1);
    assert.deepEqual(textsOf(await read(raw(), { from: last + 1_000_000_000n, count: 3 })), []);
    assert.deepEqual(textsOf(await read(raw(), { from: last, count: 1 })), ['event 0']);
  });

  it('refuses a position where no event begins', async () => {
    const { positions } = await written(2);
    const answer = await read(raw(), { from: (positions[0] ?? 0n) + 1n, count: 1 });
    assert.deepEqual(answer.failed, notBoundary);
  });

  it('refuses a commit position before its prepare position', async () => {
    const { last } = await written(1);
    const answer = await read(raw(), { from: last, prepare: last + 5n, count: 1 });
    assert.deepEqual(answer.failed, threw);
  });

  it('reads everything when the stream has no name', async () => {
    await written(1);
    assert.deepEqual(eventsOf(await read(raw(), { stream: '', count: 2 })).length, 2);
  });

  it('ends a read of no events at all', async () => {
    // A real node never ends it.
    assert.deepEqual(textsOf(await read(raw(), { count: 0 })), []);
  });

  it('keeps the events of a deleted stream, and shows what deleted it', async () => {
    const { stream, positions } = await written(3);
    const deleted = positionOf(await softDelete(raw(), stream));
    const found = await commits({ from: positions[0] ?? 0n, count: 4 });
    assert.deepEqual(found, [...positions, deleted]);
  });

  it('pages through more events than one page holds without missing or repeating one', async () => {
    const stream = freshStream('pages');
    const { positions } = await written(1);
    for (let round = 0; round < 4; round += 1) await append(raw(), { stream, events: several(400) });
    const forwards = await commits({ from: positions[0] ?? 0n, count: 1601 });
    assert.equal(new Set(forwards).size, 1601);
    const backwards = await commits({ from: 'end', backwards: true, count: 1601 });
    assert.deepEqual(backwards.toReversed(), forwards);
  });
};
