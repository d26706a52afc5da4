/** The one writer: writes that share a commit, one of them defective, or too many for one. */
import assert from 'node:assert/strict';
import { openStorage } from '../../../../packages/eventstore-node/src/storage/storage';
import { writeEvents } from '../../../../packages/eventstore-node/src/storage/write-events';
import { startWriter, type Write } from '../../../../packages/eventstore-node/src/storage/writer';
import { proposed } from '../../../contracts/eventstore-node/protocol/harness/stream-requests';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const stream = (name: string): Buffer => Buffer.from(name);
const appendTo =
  (name: string, data: Uint8Array = Buffer.from('{}')): Write<unknown> =>
  (transaction) => {
    const { id } = proposed();
    return writeEvents(transaction, stream(name), [
      { id, type: 'Proposed', json: true, data, metadata: Buffer.alloc(0) },
    ]);
  };

describe('writer', () => {
  const home = temporaryDirectory('writer');
  after(() => home.remove());

  it('fails the defective write alone, without a trace of it', async () => {
    const storage = openStorage(`${home.path}/defective`);
    const { write, idle } = startWriter(storage, () => undefined);
    const halfway: Write<unknown> = (transaction) => {
      appendTo('defective')(transaction);
      throw new RangeError('a defect');
    };
    const outcomes = await Promise.allSettled([write(appendTo('first')), write(halfway), write(appendTo('last'))]);
    await idle();
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(storage.heads.get(stream('defective')), undefined);
    assert.deepEqual([storage.heads.get(stream('first'))?.last, storage.heads.get(stream('last'))?.last], [0, 0]);
    assert.deepEqual([...storage.tables.log.getKeys()].length, 2);
    await storage.tables.root.close();
  });

  it('spreads writes of many bytes over several commits, and answers all of them in order', async () => {
    const storage = openStorage(`${home.path}/large`);
    const commits: number[] = [];
    const { write, idle } = startWriter(storage, (touched) => commits.push(touched.size));
    const large = Buffer.alloc(1024 * 1024);
    const answered: number[] = [];
    const writes = Array.from({ length: 40 }, (_, index) =>
      write(appendTo(`stream-${index}`, large)).then(() => answered.push(index)),
    );
    await Promise.all(writes);
    await idle();
    assert.deepEqual(
      answered,
      writes.map((_, index) => index),
    );
    assert.equal(
      commits.reduce((sum, streams) => sum + streams, 0),
      40,
    );
    assert.ok(
      commits.every((streams) => streams <= 9),
      `${commits.join(', ')} a commit`,
    );
    await storage.tables.root.close();
  });
});
