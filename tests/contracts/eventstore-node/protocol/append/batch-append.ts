/** BatchAppend: each append answered by its correlation id, over one call. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { append, openBatch, read } from '../harness/raw-calls';
import { eventsOf, isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { batchRequest, freshStream, several, structuredId, textId } from '../harness/stream-requests';
import { batchOf, batchOnce, nameIn } from './batch-calls';

export const batchAppendContract = ({ raw }: Server): void => {
  it('answers with the correlation id as sent, the stream, and where the append ended', async () => {
    const stream = freshStream('batch');
    const id = randomUUID();
    const reply = await batchOnce(raw(), batchOf(stream, 'no_stream', { correlationId: structuredId(id) }));
    assert.deepEqual(reply.getCorrelationId()?.toObject(), structuredId(id).toObject());
    assert.equal(nameIn(reply), stream);
    assert.equal(reply.getSuccess()?.getCurrentRevision(), '1');
    const last = eventsOf(await read(raw(), { stream, count: 10 })).at(-1);
    assert.equal(reply.getSuccess()?.getPosition()?.getCommitPosition(), last?.getCommitPosition());
  });

  it('takes an append in several parts, interleaved with another', async () => {
    const call = openBatch(raw());
    const [one, two] = [freshStream('part'), freshStream('part')];
    const [first, second] = [textId(randomUUID()), textId(randomUUID())];
    call.send(batchOf(one, 'any', { correlationId: first, final: false }));
    call.send(batchOf(two, 'any', { correlationId: second }));
    assert.equal(nameIn(await call.next()), two);
    call.send(batchRequest({ correlationId: first, events: several(3), final: false }));
    call.send(batchRequest({ correlationId: first }));
    const reply = await call.next();
    await call.end();
    assert.deepEqual([nameIn(reply), reply.getSuccess()?.getCurrentRevision()], [one, '4']);
  });

  it('ignores a part of an append it does not know', async () => {
    const call = openBatch(raw());
    call.send(batchRequest({ correlationId: textId(randomUUID()), events: several(1) }));
    const stream = freshStream('known');
    call.send(batchOf(stream, 'any'));
    assert.equal(nameIn(await call.next()), stream);
    await call.end();
  });

  it('recognises a repeated append by the same rules as Append', async () => {
    const stream = freshStream('again');
    const events = several(2);
    const [first, again] = [
      await batchOnce(raw(), batchOf(stream, 'any', { events })),
      await batchOnce(raw(), batchOf(stream, 'any', { events })),
    ];
    assert.deepEqual(again.getSuccess()?.toObject(), first.getSuccess()?.toObject());
    assert.equal(isFailed(await append(raw(), { stream, expected: 1, events: several(1) })), false);
  });

  it('answers a thousand appends of one call, each once', async () => {
    const call = openBatch(raw());
    const ids = new Set<string>(Array.from({ length: 1000 }, () => randomUUID()));
    const stream = freshStream('many');
    for (const id of ids) call.send(batchOf(stream, 'any', { correlationId: textId(id), events: several(1) }));
    const revisions = new Set<string>();
    for (let answers = 0; answers < 1000; answers += 1) {
      const reply = await call.next();
      assert.ok(ids.delete(reply.getCorrelationId()?.getString() ?? ''), 'answered twice, or never asked');
      revisions.add(reply.getSuccess()?.getCurrentRevision() ?? '');
    }
    await call.end();
    assert.equal(revisions.size, 1000);
  });
};
