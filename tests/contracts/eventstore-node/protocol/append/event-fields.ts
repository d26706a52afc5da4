/** Append: which events are accepted, which are refused, and how they come back. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { threw } from '../harness/expected-errors';
import { append, failure, read, sendAppend, softDelete } from '../harness/raw-calls';
import { appended, eventsOf, isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { appendEvent, freshStream, proposed, several } from '../harness/stream-requests';

const tooLarge = failure(status.INVALID_ARGUMENT, 'Maximum Append Size of 1048576 Exceeded.', {
  exception: 'maximum-append-size-exceeded',
  'maximum-append-size': '1048576',
});
const missing = (property: string) =>
  failure(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

const limits = ({ raw }: Server): void => {
  it('accepts data of exactly the largest append and refuses one byte more', async () => {
    const stream = freshStream('large');
    const largest = proposed({ data: Buffer.alloc(1_048_576, 'x') });
    assert.equal(appended(await append(raw(), { stream, events: [largest] })).revision, 0);
    const larger = [proposed({ data: Buffer.alloc(1_048_576, 'x') }), proposed({ data: Buffer.from('y') })];
    assert.deepEqual(await append(raw(), { stream, events: larger }), tooLarge);
  });

  it('refuses an append whose metadata no log record could hold', async () => {
    const stream = freshStream('heavy');
    const events = Array.from({ length: 20 }, () => proposed({ metadata: Buffer.alloc(1_000_000) }));
    assert.ok(isFailed(await append(raw(), { stream, events })));
    assert.deepEqual(eventsOf(await read(raw(), { stream, count: 1 })), []);
  });

  it('refuses a message that no log record could hold', async () => {
    const events = [proposed({ data: Buffer.alloc(17 * 1024 * 1024) })];
    const reply = await append(raw(), { stream: freshStream('huge'), events });
    assert.ok(isFailed(reply));
    assert.equal(reply.code, status.RESOURCE_EXHAUSTED);
  });
};

const refusals = ({ raw }: Server): void => {
  const cases = [
    ['an event without a type', proposed({ type: undefined }), missing('type')],
    ['an event without a content type', proposed({ contentType: undefined }), missing('content-type')],
    ['an empty type', proposed({ type: '' }), threw],
    ['a nil id', proposed({ id: '00000000-0000-0000-0000-000000000000' }), threw],
    ['an id that is none', proposed({ id: 'not-an-id' }), threw],
  ] as const;
  for (const [what, event, answer] of cases)
    it(`refuses ${what} and writes nothing`, async () => {
      const stream = freshStream('refused');
      assert.deepEqual(await append(raw(), { stream, events: [proposed(), event] }), answer);
      assert.deepEqual(eventsOf(await read(raw(), { stream, count: 10 })), []);
    });

  it('refuses a stream without a name', async () => {
    assert.deepEqual(await append(raw(), { stream: '', events: several(1) }), threw);
  });

  it('refuses a call without options, and one without messages', async () => {
    for (const requests of [[], [appendEvent(proposed())]]) {
      const reply = await sendAppend(raw(), requests);
      assert.ok(isFailed(reply));
    }
  });
};

const fields = ({ raw }: Server): void => {
  const stored = async (event: ReturnType<typeof proposed>, stream = freshStream('fields')) => {
    appended(await append(raw(), { stream, events: [event] }));
    const [found] = eventsOf(await read(raw(), { stream, count: 1 }));
    assert.ok(found !== undefined);
    return found;
  };

  it('returns id, data and metadata byte for byte', async () => {
    const event = proposed({ data: Buffer.from([0, 255, 10]), metadata: Buffer.from([1, 0, 254]) });
    const found = await stored(event);
    assert.equal(found.getId()?.getString(), event.id);
    assert.deepEqual(Buffer.from(found.getData_asU8()), event.data);
    assert.deepEqual(Buffer.from(found.getCustomMetadata_asU8()), event.metadata);
  });

  it('returns type, created in ticks and content-type, and drops other keys', async () => {
    const before = BigInt(Date.now()) * 10_000n;
    const found = await stored(proposed({ type: '$odd type', extra: { more: 'x' } }));
    const map = new Map(found.getMetadataMap().toArray() as [string, string][]);
    assert.deepEqual([...map.keys()].sort(), ['content-type', 'created', 'type']);
    assert.equal(map.get('type'), '$odd type');
    const created = BigInt(map.get('created') ?? '');
    assert.ok(created >= before - 600_000_000n && created <= before + 600_000_000n, `created ${created}`);
  });

  it('returns any content type but JSON as octet-stream, and does not look into JSON', async () => {
    const contentType = async (sent: string) =>
      (await stored(proposed({ contentType: sent, data: Buffer.from('{"broken') })))
        .getMetadataMap()
        .get('content-type');
    assert.equal(await contentType('application/json'), 'application/json');
    assert.equal(await contentType('application/json; charset=utf-8'), 'application/octet-stream');
    assert.equal(await contentType('text/plain'), 'application/octet-stream');
  });

  for (const name of ['ä stream 🚀 with spaces', 'x'.repeat(5000), '-', '/../..'])
    it(`keeps a stream named ${name.slice(0, 30)}`, async () => {
      const stream = `${freshStream('named')} ${name}`;
      const found = await stored(proposed(), stream);
      assert.equal(Buffer.from(found.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(), stream);
      assert.equal(isFailed(await softDelete(raw(), stream)), false);
    });

  it('distinguishes long names that begin alike', async () => {
    const base = `${freshStream('long')}${'x'.repeat(3000)}`;
    await append(raw(), { stream: `${base}a`, events: several(1) });
    assert.equal(
      appended(await append(raw(), { stream: `${base}b`, expected: 'no_stream', events: several(1) })).revision,
      0,
    );
  });
};

export const appendFieldsContract = (server: Server): void => {
  describe('limits', () => limits(server));
  describe('refusals', () => refusals(server));
  describe('fields', () => fields(server));
};
