/** Tombstone: the end of a stream for good. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { deleted, wrongDeleteVersion } from '../harness/expected-errors';
import { append, read, softDelete, tombstone } from '../harness/raw-calls';
import { eventsOf, isFailed, positionOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';

export const tombstoneContract = ({ raw }: Server): void => {
  const ended = async (count = 2): Promise<string> => {
    const stream = freshStream('ended');
    if (count > 0) await append(raw(), { stream, events: several(count) });
    assert.equal(isFailed(await tombstone(raw(), stream)), false);
    return stream;
  };

  it('writes a last event of the largest revision, seen in $all', async () => {
    const stream = freshStream('ended');
    await append(raw(), { stream, events: several(1) });
    const position = positionOf(await tombstone(raw(), stream, 0));
    const [last] = eventsOf(await read(raw(), { from: position, count: 1 }));
    assert.equal(last?.getMetadataMap().get('type'), '$streamDeleted');
    assert.equal(last.getStreamRevision(), '9223372036854775807');
    assert.equal(Buffer.from(last.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(), stream);
  });

  it('refuses everything afterwards, also on the metadata', async () => {
    for (const count of [0, 2]) {
      const stream = await ended(count);
      for (const name of [stream, `$$${stream}`]) {
        assert.deepEqual((await read(raw(), { stream: name, count: 1 })).failed, deleted(name));
        assert.deepEqual(await append(raw(), { stream: name, events: several(1) }), deleted(name));
        assert.deepEqual(await softDelete(raw(), name), deleted(name));
        assert.deepEqual(await tombstone(raw(), name), deleted(name));
      }
    }
  });

  it('ends a missing stream with any and no_stream, not where it must exist', async () => {
    for (const expected of ['any', 'no_stream'] as const)
      assert.equal(isFailed(await tombstone(raw(), freshStream('never'), expected)), false);
    const stream = freshStream('never');
    assert.deepEqual(await tombstone(raw(), stream, 'stream_exists'), wrongDeleteVersion(stream, -4, -1));
  });

  it('ends a stream that has only metadata, with any, no_stream and where it must exist', async () => {
    for (const expected of ['any', 'no_stream', 'stream_exists'] as const) {
      const stream = freshStream('metadata-only');
      const events = [proposed({ type: '$metadata', data: Buffer.from('{"owner":"a"}') })];
      await append(raw(), { stream: `$$${stream}`, events });
      assert.equal(isFailed(await tombstone(raw(), stream, expected)), false);
      assert.deepEqual((await read(raw(), { stream, count: 1 })).failed, deleted(stream));
    }
  });

  it('ends a soft-deleted stream', async () => {
    const stream = freshStream('both');
    await append(raw(), { stream, events: several(2) });
    await softDelete(raw(), stream);
    assert.equal(isFailed(await tombstone(raw(), stream, 1)), false);
    assert.deepEqual((await read(raw(), { stream, count: 1 })).failed, deleted(stream));
  });

  it('refuses a wrong revision', async () => {
    const stream = freshStream('wrong');
    await append(raw(), { stream, events: several(3) });
    assert.deepEqual(await tombstone(raw(), stream, 5), wrongDeleteVersion(stream, 5, 2));
    assert.deepEqual(await tombstone(raw(), stream, 'no_stream'), wrongDeleteVersion(stream, -1, 2));
  });

  it('names a stream beyond ASCII without breaking the trailers', async () => {
    const stream = `${freshStream('ended')} ä🚀`;
    await tombstone(raw(), stream);
    const { failed } = await read(raw(), { stream, count: 1 });
    assert.deepEqual([failed?.code, failed?.trailers.exception], [status.FAILED_PRECONDITION, 'stream-deleted']);
  });
};
