/** Clients that end their side of a call at once, as Python's does: what they sent is answered before the call ends. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { batchOf, nameIn } from '../append/batch-calls';
import { append, read, softDelete } from '../harness/raw-calls';
import { eventsOf, isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several, textId } from '../harness/stream-requests';
import { groupCalls } from '../persistent-subscriptions/harness/group-calls';
import { connectRequest } from '../persistent-subscriptions/harness/requests';

/** More requests than the server takes without answers. */
const manyRequests = 700;

export const halfClosedContract = ({ raw, stub }: Server): void => {
  const sendAndHalfClose = async (requests: readonly BatchAppendReq[]): Promise<readonly BatchAppendResp[]> => {
    const call = raw().batchAppend();
    for (const request of requests) call.write(request);
    call.end();
    const replies: BatchAppendResp[] = [];
    for await (const reply of call) replies.push(reply as BatchAppendResp);
    return replies;
  };

  it('answers the one batch append of a call', async () => {
    const stream = freshStream('half-closed');
    const replies = await sendAndHalfClose([batchOf(stream, 'no_stream')]);
    assert.deepEqual(
      replies.map((reply) => [nameIn(reply), reply.getSuccess()?.getCurrentRevision()]),
      [[stream, '1']],
    );
  });

  it('answers every batch append of a call, also more than are taken at once', async () => {
    const stream = freshStream('half-closed-many');
    const ids = Array.from({ length: manyRequests }, () => randomUUID());
    const replies = await sendAndHalfClose(
      ids.map((id) => batchOf(stream, 'any', { correlationId: textId(id), events: several(1) })),
    );
    assert.deepEqual(
      replies.map((reply) => reply.getCorrelationId()?.getString()),
      ids,
    );
    assert.equal(eventsOf(await read(raw(), { stream, count: 2 * manyRequests })).length, manyRequests);
  });

  it('ends a call whose append was never finished, and writes nothing of it', async () => {
    const [unfinished, finished] = [freshStream('unfinished'), freshStream('finished')];
    const replies = await sendAndHalfClose([batchOf(unfinished, 'any', { final: false }), batchOf(finished, 'any')]);
    assert.deepEqual(replies.map(nameIn), [finished]);
    assert.equal(eventsOf(await read(raw(), { stream: unfinished, count: 1 })).length, 0);
  });

  it('answers an append and a delete', async () => {
    const stream = freshStream('half-closed-append');
    assert.equal(isFailed(await append(raw(), { stream, events: several(2) })), false);
    assert.equal(isFailed(await softDelete(raw(), stream)), false);
  });

  it('goes on sending to a consumer of a persistent subscription', async () => {
    const name = { stream: freshStream('half-closed-consumer'), group: 'workers' };
    await append(raw(), { stream: name.stream, events: several(1) });
    const client = stub(PersistentSubscriptionsClient);
    assert.equal(isFailed(await groupCalls(client).create(name)), false);
    const call = client.read();
    call.on('error', () => undefined);
    call.write(connectRequest(name, 10));
    call.end();
    const replies = call[Symbol.asyncIterator]() as AsyncIterator<ReadResp>;
    assert.ok(((await replies.next()).value as ReadResp).hasSubscriptionConfirmation());
    for (const revision of ['0', '1']) {
      const reply = (await replies.next()).value as ReadResp;
      assert.equal(reply.getEvent()?.getEvent()?.getStreamRevision(), revision);
      if (revision === '0') await append(raw(), { stream: name.stream, events: several(1) });
    }
    call.cancel();
  });
};
