import assert from 'node:assert/strict';
import { AllStreamPosition, Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq, BatchAppendResp, ReadReq } from '@eventstore/db-client/generated/streams_pb';
import * as fc from 'fast-check';
import { left, right } from 'fp-ts/Either';
import { decodeBatchReply, encodeBatchRequest } from '../../../../infra/adapters/eventstore/append/batch-messages';
import { streamRequest } from '../../../../infra/adapters/eventstore/read/read-stream';

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
const event = fc.record({ id: fc.uuid(), type: fc.string(), data: bytes, metadata: bytes });
const expected = fc.oneof(fc.constantFrom('any' as const, 'no-stream' as const), fc.nat(2 ** 40));
const change = fc.record({ stream: fc.string(), expected, events: fc.array(event, { maxLength: 5 }) });

const expectedIn = (options: BatchAppendReq.Options | undefined): unknown => {
  if (options?.hasAny()) return 'any';
  return options?.hasNoStream() ? 'no-stream' : Number(options?.getStreamPosition());
};

describe('requests to append', () => {
  it('say to the generated messages what they were made of', () => {
    fc.assert(
      fc.property(fc.uuid(), change, (id, batch) => {
        const request = BatchAppendReq.deserializeBinary(encodeBatchRequest(id, batch));
        assert.equal(request.getCorrelationId()?.getString(), id);
        assert.equal(request.getIsFinal(), true);
        const options = request.getOptions();
        const stream = Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []);
        assert.deepEqual([stream.toString(), expectedIn(options)], [batch.stream, batch.expected]);
        assert.equal(options?.getDeadline()?.toDate().getUTCFullYear(), 9999);
        const events = request.getProposedMessagesList().map((message) => ({
          id: message.getId()?.getString(),
          type: message.getMetadataMap().get('type'),
          data: Buffer.from(message.getData_asU8()),
          metadata: Buffer.from(message.getCustomMetadata_asU8()),
        }));
        assert.deepEqual(
          events,
          batch.events.map((one) => ({ ...one })),
        );
        const kinds = request.getProposedMessagesList().map((message) => message.getMetadataMap().get('content-type'));
        assert.ok(kinds.every((kind) => kind === 'application/json'));
      }),
      { numRuns: 200 },
    );
  });
});

const replyTo = (id: string): BatchAppendResp => {
  const correlation = new UUID();
  correlation.setString(id);
  const reply = new BatchAppendResp();
  reply.setCorrelationId(correlation);
  return reply;
};

const decoded = (reply: BatchAppendResp) => decodeBatchReply(Buffer.from(reply.serializeBinary()));

describe('replies to appends', () => {
  it('say where it is', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(2 ** 40), fc.bigInt(0n, 2n ** 63n - 1n), (id, revision, commit) => {
        const position = new AllStreamPosition();
        position.setCommitPosition(String(commit));
        position.setPreparePosition(String(commit));
        const success = new BatchAppendResp.Success();
        success.setCurrentRevision(String(revision));
        success.setPosition(position);
        const reply = replyTo(id);
        reply.setSuccess(success);
        assert.deepEqual(decoded(reply), { correlationId: id, outcome: right({ revision, position: commit }) });
      }),
    );
  });

  it('that say nothing of that are read whole', () => {
    const reply = replyTo('one');
    const ambiguous = decoded(reply).outcome;
    assert.ok(ambiguous._tag === 'Left');
    const success = new BatchAppendResp.Success();
    success.setNoPosition(new Empty());
    reply.setSuccess(success);
    assert.deepEqual(decoded(reply), { correlationId: 'one', outcome: left(ambiguous.left) });
  });
});

describe('requests to read a stream', () => {
  it('say to the generated messages which one, from where, and that all of it is wanted', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(2 ** 40), (stream, from) => {
        const options = ReadReq.deserializeBinary(streamRequest(stream, from)).getOptions();
        const streamOptions = options?.getStream();
        const name = Buffer.from(streamOptions?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
        assert.deepEqual([name, streamOptions?.getRevision()], [stream, String(from)]);
        const { count, readDirection, resolveLinks, noFilter, uuidOption, all } = options?.toObject() ?? {};
        assert.deepEqual([count, readDirection, resolveLinks], [String(Number.MAX_SAFE_INTEGER), 0, false]);
        assert.deepEqual([noFilter, uuidOption?.string, all], [{}, {}, undefined]);
      }),
    );
  });
});
