/** Replies are read from their bytes: the fast decoder agrees with the generated messages. */
import assert from 'node:assert/strict';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import fc from 'fast-check';
import { noEvent, readReply } from '../../../../infra/adapters/eventstore/read/read-response';

const { ReadEvent } = ReadResp;
const { RecordedEvent } = ReadEvent;

interface Recorded {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

const replyOf = ({ id, stream, revision, position, type, data, metadata }: Recorded, content = 'application/json') => {
  const uuid = new UUID();
  uuid.setString(id);
  const name = new StreamIdentifier();
  name.setStreamName(Buffer.from(stream));
  const recorded = new RecordedEvent();
  recorded.setId(uuid);
  recorded.setStreamIdentifier(name);
  recorded.setStreamRevision(String(revision));
  recorded.setPreparePosition(String(position));
  recorded.setCommitPosition(String(position));
  const named = recorded.getMetadataMap();
  named.set('created', '17').set('content-type', content).set('type', type).set('later', 'x'.repeat(200));
  recorded.setData(data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data)));
  if (metadata !== undefined) recorded.setCustomMetadata(Buffer.from(JSON.stringify(metadata)));
  const event = new ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(position));
  return new ReadResp().setEvent(event);
};

const bytesOf = (reply: ReadResp): Buffer => Buffer.from(reply.serializeBinary());

const recorded = fc.record({
  id: fc.uuid(),
  stream: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  revision: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  position: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  type: fc.string({ unit: 'grapheme', minLength: 1 }),
  data: fc.jsonValue(),
  metadata: fc.option(fc.jsonValue(), { nil: undefined }),
});

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

describe('reply of Read', () => {
  it('reads as it was written', () => {
    fc.assert(
      fc.property(recorded, (event) => {
        const expected = { ...event, data: plain(event.data), metadata: plain(event.metadata) };
        assert.deepEqual(readReply(bytesOf(replyOf(event))), expected);
      }),
    );
  });

  it('gives bytes where the event is none of JSON, and text where JSON is damaged', () => {
    const event = { id: 'i', stream: 's', revision: 0, position: 1n, type: 't', metadata: undefined };
    const bytes = Uint8Array.of(0, 255, 123);
    const read = (data: unknown, content?: string) => readReply(bytesOf(replyOf({ ...event, data }, content)));
    assert.deepEqual(read(bytes, 'application/octet-stream'), { ...event, data: bytes });
    assert.deepEqual(read(Buffer.from('{"half":')), { ...event, data: '{"half":' });
    assert.deepEqual(read(new Uint8Array(0)), { ...event, data: '' });
  });

  it('skips replies without an event, and unknown fields', () => {
    assert.equal(readReply(bytesOf(new ReadResp().setFirstStreamPosition('7'))), noEvent);
    assert.equal(readReply(Buffer.alloc(0)), noEvent);
    const unknown = Buffer.from([0x98, 0x06, 0x96, 0x01, 0xa5, 0x06, 1, 2, 3, 4, 0xaa, 0x06, 2, 9, 9]);
    assert.equal(readReply(unknown), noEvent);
  });

  it('never takes a reply that breaks off for a whole event, nor reads past its end', () => {
    fc.assert(
      fc.property(recorded, fc.double({ min: 0, max: 0.999, noNaN: true }), (event, part) => {
        const whole = bytesOf(replyOf(event));
        const cut = whole.subarray(0, Math.floor(whole.length * part));
        if (cut.length === 0) return;
        assert.throws(() => readReply(cut), /middle of a field/);
      }),
    );
  });

  it('ends on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readReply(Buffer.from(bytes));
        } catch (error) {
          assert.match((error as Error).message, /middle of a field/);
        }
      }),
    );
  });
});
