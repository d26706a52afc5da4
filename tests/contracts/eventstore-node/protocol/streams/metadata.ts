/** What a stream's metadata hides: `$maxCount`, `$tb`, `$maxAge`; and how metadata streams behave themselves. */
import assert from 'node:assert/strict';
import { append, read } from '../harness/raw-calls';
import { appended, currentOf, textsOf, wrongVersion } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';

/** Replies to a read of ten events forwards from 0, under metadata. */
const hidden: readonly (readonly [metadata: string, count: number, replies: readonly string[]])[] = [
  ['{"$maxCount":2}', 20, ['event 8', 'event 9', 'last 9']],
  ['{"$tb":7}', 20, ['event 7', 'event 8', 'event 9', 'last 9']],
  ['{"$tb":5,"$maxCount":3}', 20, ['event 7', 'event 8', 'event 9', 'last 9']],
  ['{"$tb":8,"$maxCount":5}', 20, ['event 8', 'event 9', 'last 9']],
  ['{"$tb":7}', 3, ['first 7', 'event 7', 'event 8', 'event 9', 'last 9']],
  ['{"$tb":100}', 20, ['first 100', 'first 10', 'last 9']],
  ['{"$maxCount":20}', 1, ['event 0', 'last 9']],
];
const ineffective = [
  '{"$maxCount":-1}',
  '{"$maxCount":"2"}',
  '{"$tb":"x"}',
  '{broken',
  '[]',
  'null',
  '',
  '{"$maxCount":1.5}',
];
const everything = [...Array.from({ length: 10 }, (_, revision) => `event ${revision}`), 'last 9'];

export const metadataContract = ({ raw }: Server): void => {
  const setMetadata = (stream: string, data: string, type = '$metadata') =>
    append(raw(), { stream: `$$${stream}`, events: [proposed({ type, data: Buffer.from(data) })] });
  const tenEvents = async (metadata?: string): Promise<string> => {
    const stream = freshStream('metadata');
    await append(raw(), { stream, events: several(10) });
    if (metadata !== undefined) appended(await setMetadata(stream, metadata));
    return stream;
  };

  for (const [metadata, count, replies] of hidden)
    it(`answers ${replies.join(', ')} to ${count} under ${metadata}`, async () => {
      const stream = await tenEvents(metadata);
      assert.deepEqual(textsOf(await read(raw(), { stream, count })), replies);
    });

  for (const metadata of ineffective)
    it(`hides nothing under ${metadata || 'no data at all'}`, async () => {
      const stream = await tenEvents(metadata);
      assert.deepEqual(textsOf(await read(raw(), { stream, count: 20 })), everything);
    });

  it('hides backwards as well', async () => {
    const stream = await tenEvents('{"$tb":8}');
    const replies = textsOf(await read(raw(), { stream, from: 'end', backwards: true, count: 20 }));
    assert.deepEqual(replies, ['event 9', 'event 8', 'last 9']);
  });

  it('hides events that are too old, and shows newer ones', async () => {
    const stream = await tenEvents('{"$maxAge":0}');
    // A reading within the millisecond of the writing is possible: age is counted from 1 ms on.
    let replies = textsOf(await read(raw(), { stream, count: 20 }));
    while (replies.includes('event 9')) replies = textsOf(await read(raw(), { stream, count: 20 }));
    assert.deepEqual(replies, ['first 10', 'last 9']);
    await setMetadata(stream, '{"$maxAge":3600}');
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 20 })), everything);
  });

  it('shows hidden events again when the metadata goes', async () => {
    const stream = await tenEvents('{"$tb":8}');
    await setMetadata(stream, '{}');
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 20 })), everything);
  });

  it('goes by the last metadata event, whatever its type', async () => {
    const stream = await tenEvents('{"$tb":8}');
    await setMetadata(stream, '{"$tb":9}', 'Whatever');
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 32 })), ['event 9', 'last 9']);
  });

  it('goes on with exact revisions though the events are hidden', async () => {
    const stream = await tenEvents('{"$maxCount":1}');
    assert.equal(appended(await append(raw(), { stream, expected: 9, events: several(1) })).revision, 10);
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 32 })), ['event 10', 'last 10']);
  });

  it('applies to a stream that is written after its metadata', async () => {
    const stream = freshStream('before');
    await setMetadata(stream, '{"$maxCount":1}');
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 9 })), ['not found']);
    assert.equal(appended(await append(raw(), { stream, expected: 'no_stream', events: several(3) })).revision, 2);
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 32 })), ['event 2', 'last 2']);
  });

  it('reads a metadata stream as its latest event only', async () => {
    const stream = await tenEvents('{"$tb":1}');
    await setMetadata(stream, '{"$tb":2}');
    assert.deepEqual(textsOf(await read(raw(), { stream: `$$${stream}`, count: 32 })), ['event 1', 'last 1']);
    assert.deepEqual(textsOf(await read(raw(), { stream: `$$${freshStream('none')}`, count: 1 })), ['not found']);
  });

  it('checks the expected revision of a metadata stream as of any', async () => {
    const stream = await tenEvents('{"$tb":1}');
    const events = [proposed({ type: '$metadata', data: Buffer.from('{}') })];
    const reply = await append(raw(), { stream: `$$${stream}`, expected: 'no_stream', events });
    assert.equal(currentOf(wrongVersion(reply)), 0);
    assert.equal(appended(await append(raw(), { stream: `$$${stream}`, expected: 0, events })).revision, 1);
  });

  it('keeps metadata of a metadata stream', async () => {
    const stream = freshStream('twice');
    assert.equal(appended(await setMetadata(`$$${stream}`, '{"$maxCount":5}')).revision, 0);
    assert.deepEqual(textsOf(await read(raw(), { stream: `$$$$${stream}`, count: 1 })), ['event 0', 'last 0']);
  });
};
