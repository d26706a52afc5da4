/** Soft delete: hidden by metadata, and used again. */
import assert from 'node:assert/strict';
import { deleted, wrongDeleteVersion } from '../harness/expected-errors';
import { append, read, softDelete } from '../harness/raw-calls';
import { appended, eventsOf, positionOf, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { type Expected, freshStream, proposed, several } from '../harness/stream-requests';

const numbers: readonly (readonly [Expected, number])[] = [
  ['any', -2],
  ['no_stream', -1],
  ['stream_exists', -4],
  [7, 7],
];

export const softDeleteContract = ({ raw }: Server): void => {
  const streamOf = async (count: number): Promise<string> => {
    const stream = freshStream('deleted');
    await append(raw(), { stream, events: several(count) });
    return stream;
  };
  const metadataOf = async (stream: string): Promise<string> =>
    Buffer.from(eventsOf(await read(raw(), { stream: `$$${stream}`, count: 1 }))[0]?.getData_asU8() ?? []).toString();

  it('hides the stream, by metadata whose position it answers', async () => {
    const stream = await streamOf(3);
    const position = positionOf(await softDelete(raw(), stream, 2));
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 10 })), ['not found']);
    const [written] = eventsOf(await read(raw(), { from: position, count: 1 }));
    assert.equal(written?.getMetadataMap().get('type'), '$metadata');
    assert.match(await metadataOf(stream), /"\$tb":\s*9223372036854775807/);
  });

  it('keeps other metadata of the stream', async () => {
    const stream = await streamOf(1);
    const data = Buffer.from('{"$maxCount":7,"owner":"a"}');
    await append(raw(), { stream: `$$${stream}`, events: [proposed({ type: '$metadata', data })] });
    await softDelete(raw(), stream);
    const metadata = await metadataOf(stream);
    assert.match(metadata, /"\$maxCount":\s*7/);
    assert.match(metadata, /"owner":\s*"a"/);
  });

  for (const [expected, number] of numbers)
    it(`refuses to delete a missing stream with ${expected}`, async () => {
      const stream = freshStream('missing');
      assert.deepEqual(await softDelete(raw(), stream, expected), wrongDeleteVersion(stream, number, -1));
    });

  for (const expected of ['any', 'no_stream', 'stream_exists'] as const)
    it(`deletes a stream that has only metadata, with ${expected}; it begins at 0 afterwards`, async () => {
      const stream = freshStream('metadata-only');
      const data = Buffer.from('{"owner":"a"}');
      await append(raw(), { stream: `$$${stream}`, events: [proposed({ type: '$metadata', data })] });
      const position = positionOf(await softDelete(raw(), stream, expected));
      const [written] = eventsOf(await read(raw(), { from: position, count: 1 }));
      assert.equal(written?.getMetadataMap().get('type'), '$metadata');
      assert.match(await metadataOf(stream), /"\$tb":\s*9223372036854775807.*"owner":\s*"a"/);
      assert.deepEqual(textsOf(await read(raw(), { stream, count: 10 })), ['not found']);
      assert.equal(appended(await append(raw(), { stream, expected: 'no_stream', events: several(2) })).revision, 1);
      assert.deepEqual(textsOf(await read(raw(), { stream, count: 10 })), ['event 0', 'event 1', 'last 1']);
    });

  it('refuses a revision of a stream that has only metadata', async () => {
    const stream = freshStream('metadata-only');
    const events = [proposed({ type: '$metadata', data: Buffer.from('{}') })];
    await append(raw(), { stream: `$$${stream}`, events });
    assert.deepEqual(await softDelete(raw(), stream, 0), wrongDeleteVersion(stream, 0, -1));
    await softDelete(raw(), stream, 'no_stream');
    assert.deepEqual(await softDelete(raw(), stream, 'stream_exists'), deleted(stream));
  });

  it('refuses a wrong revision and answers the actual one', async () => {
    const stream = await streamOf(3);
    assert.deepEqual(await softDelete(raw(), stream, 1), wrongDeleteVersion(stream, 1, 2));
    assert.equal(textsOf(await read(raw(), { stream, count: 9 })).length, 4);
  });

  it('may be repeated with any and the exact revision, not where the stream must exist', async () => {
    const stream = await streamOf(2);
    const first = positionOf(await softDelete(raw(), stream));
    assert.ok(positionOf(await softDelete(raw(), stream, 'any')) > first);
    assert.ok(positionOf(await softDelete(raw(), stream, 1)) > first);
    assert.deepEqual(await softDelete(raw(), stream, 'stream_exists'), deleted(stream));
  });

  for (const expected of ['any', 'no_stream', 4] as const)
    it(`goes on numbering after a delete, appended to with ${expected}; what was hidden stays so`, async () => {
      const stream = await streamOf(5);
      await softDelete(raw(), stream);
      assert.equal(appended(await append(raw(), { stream, expected, events: several(2) })).revision, 6);
      assert.deepEqual(textsOf(await read(raw(), { stream, count: 32 })), ['event 5', 'event 6', 'last 6']);
      assert.match(await metadataOf(stream), /"\$tb":\s*5[,}]/);
    });

  it('refuses an append where the stream must exist', async () => {
    const stream = await streamOf(1);
    await softDelete(raw(), stream);
    assert.deepEqual(await append(raw(), { stream, expected: 'stream_exists', events: several(1) }), deleted(stream));
  });
};
