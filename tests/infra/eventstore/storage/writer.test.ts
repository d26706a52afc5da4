/** The one writer, when one of the writes that share a commit is defective. */
import assert from 'node:assert/strict';
import { openStorage } from '../../../../infra/eventstore/node/storage/storage';
import { writeEvents } from '../../../../infra/eventstore/node/storage/write';
import { startWriter, type Write } from '../../../../infra/eventstore/node/storage/writer';
import { proposed } from '../../../contracts/event-store-protocol/messages';
import { temporaryDirectory } from '../../../support/event-store-node';

const stream = (name: string): Buffer => Buffer.from(name);
const appendTo =
  (name: string): Write<unknown> =>
  (transaction) => {
    const { id, data } = proposed();
    return writeEvents(transaction, stream(name), [
      { id, type: 'Proposed', json: true, data, metadata: Buffer.alloc(0) },
    ]);
  };

describe('writer', () => {
  const home = temporaryDirectory('writer');
  after(() => home.remove());

  it('fails the defective write alone, without a trace of it', async () => {
    const storage = openStorage(home.path);
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
});
