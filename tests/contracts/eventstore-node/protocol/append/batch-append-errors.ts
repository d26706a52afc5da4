/** BatchAppend: an error ends its append and not the call. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { status } from '@grpc/grpc-js';
import { append, openBatch, read, softDelete, tombstone } from '../harness/raw-calls';
import { eventsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { batchRequest, type Expected, freshStream, proposed, several, textId } from '../harness/stream-requests';
import { batchOf, batchOnce, errorOf } from './batch-calls';

const client = (type: string): string => `type.googleapis.com/event_store.client.${type}`;

export const batchAppendErrorsContract = ({ raw }: Server): void => {
  it('refuses a wrong revision, saying where the stream is and what was expected', async () => {
    const stream = freshStream('wrong');
    const missing = errorOf(await batchOnce(raw(), batchOf(stream, 5)));
    assert.deepEqual([missing.code, missing.message], [status.ALREADY_EXISTS, 'WrongExpectedVersion']);
    assert.equal(missing.type, client('WrongExpectedVersion'));
    const none = WrongExpectedVersion.deserializeBinary(missing.bytes ?? new Uint8Array());
    assert.deepEqual([none.hasCurrentNoStream(), none.getExpectedStreamPosition()], [true, '5']);
    await append(raw(), { stream, events: several(3) });
    const there = errorOf(await batchOnce(raw(), batchOf(stream, 'no_stream')));
    const wrong = WrongExpectedVersion.deserializeBinary(there.bytes ?? new Uint8Array());
    assert.deepEqual([wrong.getCurrentStreamRevision(), wrong.hasExpectedNoStream()], ['2', true]);
  });

  it('refuses a tombstoned stream, and a soft-deleted one where it must exist', async () => {
    const [ended, hidden] = [freshStream('ended'), freshStream('hidden')];
    await tombstone(raw(), ended);
    await append(raw(), { stream: hidden, events: several(1) });
    await softDelete(raw(), hidden);
    for (const [stream, expected] of [
      [ended, 'any'],
      [hidden, 'stream_exists'],
    ] as const) {
      const { code, message, type, bytes } = errorOf(await batchOnce(raw(), batchOf(stream, expected)));
      assert.deepEqual([code, message, type], [status.NOT_FOUND, 'StreamDeleted', client('StreamDeleted')]);
      const name = StreamDeleted.deserializeBinary(bytes ?? new Uint8Array())
        .getStreamIdentifier()
        ?.getStreamName_asU8();
      assert.equal(Buffer.from(name ?? []).toString(), stream);
    }
  });

  it('refuses an append that is too large over all its parts, and goes on', async () => {
    const call = openBatch(raw());
    const stream = freshStream('large');
    const id = textId(randomUUID());
    const half = () => [proposed({ data: Buffer.alloc(600_000) })];
    call.send(batchOf(stream, 'any', { correlationId: id, events: half(), final: false }));
    call.send(batchRequest({ correlationId: id, events: half() }));
    const { code, message, type, bytes } = errorOf(await call.next());
    assert.deepEqual(
      [code, message, type],
      [status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', client('MaximumAppendSizeExceeded')],
    );
    assert.equal(MaximumAppendSizeExceeded.deserializeBinary(bytes ?? new Uint8Array()).getMaxappendsize(), 1_048_576);
    call.send(batchOf(stream, 'no_stream'));
    assert.equal((await call.next()).getSuccess()?.getCurrentRevision(), '1');
    await call.end();
  });

  const bad: readonly (readonly [what: string, expected: Expected, event: ReturnType<typeof proposed>])[] = [
    ['an event without a type', 'any', proposed({ type: undefined })],
    ['an event without a content type', 'any', proposed({ contentType: undefined })],
    ['an id that is none', 'any', proposed({ id: 'nothing' })],
    ['an append that expects nothing in particular', 'unset', proposed()],
  ];
  for (const [what, expected, event] of bad)
    it(`refuses ${what} as a bad request`, async () => {
      const { code, message, type, bytes } = errorOf(
        await batchOnce(raw(), batchOf(freshStream('bad'), expected, { events: [event] })),
      );
      assert.deepEqual([code, message, type], [status.INVALID_ARGUMENT, 'BadRequest', client('BadRequest')]);
      assert.notEqual(BadRequest.deserializeBinary(bytes ?? new Uint8Array()).getMessage(), '');
    });

  it('answers Timeout to an append whose deadline is over, and writes nothing of it', async () => {
    const stream = freshStream('late');
    const target = { stream, expected: 'any', deadline: new Date(Date.now() - 1000) } as const;
    const { code, type } = errorOf(await batchOnce(raw(), batchOf(stream, 'any', { target })));
    assert.deepEqual([code, type], [status.DEADLINE_EXCEEDED, client('Timeout')]);
    assert.deepEqual(eventsOf(await read(raw(), { stream, count: 1 })), []);
  });

  it('answers Timeout to an append that is never finished, at its deadline', async () => {
    const stream = freshStream('unfinished');
    const target = { stream, expected: 'any', deadline: new Date(Date.now() + 300) } as const;
    const { code } = errorOf(await batchOnce(raw(), batchOf(stream, 'any', { target, final: false })));
    assert.equal(code, status.DEADLINE_EXCEEDED);
  });
};
