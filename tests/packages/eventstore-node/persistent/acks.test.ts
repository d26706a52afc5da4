/** Requests of consumers are read from their bytes: the fast decoder agrees with the generated one. */
import assert from 'node:assert/strict';
import { ReadReq } from '@eventstore/db-client/generated/persistent_pb';
import fc from 'fast-check';
import { decodeReadRequest } from '../../../../packages/eventstore-node/src/protocol/persistent-subscriptions/ack-decoder';
import { structuredId, textId } from '../../../contracts/eventstore-node/protocol/harness/stream-requests';
import {
  ackRequest,
  nackRequest,
} from '../../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/requests';

const bytesOf = (request: ReadReq): Buffer => Buffer.from(request.serializeBinary());

/** As acknowledgements where it is one, whichever way it was read. */
const acked = (request: ReturnType<typeof decodeReadRequest>): readonly string[] | undefined =>
  request instanceof ReadReq
    ? request
        .getAck()
        ?.getIdsList()
        .map((id) => id.getString())
    : request;

describe('requests of consumers', () => {
  it('acknowledge by any number of ids', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { maxLength: 50 }), (ids) => {
        const read = decodeReadRequest(bytesOf(ackRequest(ids)));
        assert.ok(!(read instanceof ReadReq));
        assert.deepEqual(read, ids);
      }),
    );
  });

  it('acknowledge by text in capitals as well', () => {
    const id = 'ABCDEF01-2345-4789-8BCD-EF0123456789';
    assert.deepEqual(decodeReadRequest(bytesOf(ackRequest([id]))), [id.toLowerCase()]);
  });

  it('are read the long way in any other form', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (id, text) => {
        const structured = new ReadReq().setAck(new ReadReq.Ack().setIdsList([textId(id), structuredId(id)]));
        const named = new ReadReq().setAck(new ReadReq.Ack().setId(Buffer.from('x')).setIdsList([textId(id)]));
        const odd = new ReadReq().setAck(new ReadReq.Ack().setIdsList([textId(id), textId(text)]));
        const nack = nackRequest(ReadReq.Nack.Action.PARK, text, [id]);
        for (const request of [structured, named, nack, new ReadReq()]) {
          const read = decodeReadRequest(bytesOf(request));
          assert.ok(read instanceof ReadReq);
          assert.deepEqual(read.toObject(), request.toObject());
        }
        assert.deepEqual(acked(decodeReadRequest(bytesOf(odd))), [id, text]);
      }),
    );
  });

  it('are never taken for acknowledgements when they are cut or have more in them', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }), fc.nat(), (ids, cut) => {
        const whole = bytesOf(ackRequest(ids));
        const part = whole.subarray(0, cut % whole.length);
        if (part.length > 0) assert.throws(() => decodeReadRequest(part));
        assert.ok(decodeReadRequest(Buffer.concat([whole, whole])) instanceof ReadReq);
      }),
    );
  });
});
