import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import {
  decodeEventLine,
  encodeEventLine,
  type LoggedEvent,
} from '../../../../packages/eventstore-node/src/transfer/format/event-line';
import { linesOf } from '../../../../packages/eventstore-node/src/transfer/format/read-lines';
import { loggedEvent } from './events';

const decode = (line: string) => decodeEventLine(JSON.parse(line) as Record<string, unknown>);

const sample: LoggedEvent = {
  stream: Buffer.from('orders.order-1'),
  revision: 3,
  id: '3fe40710-9ebf-4651-acbe-f40b2f3674a2',
  type: 'orders.Placed.v1',
  json: true,
  created: '2026-11-20T12:34:56.1234567Z',
  position: 733,
  data: Buffer.from('{"amount":1}'),
  metadata: Buffer.from('{"tenant":"t"}'),
};

async function* inBlocks(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('an event as a line', () => {
  it('comes back as it was, whatever its bytes', () =>
    fc.assert(
      fc.property(loggedEvent, (event) => {
        const line = encodeEventLine(event);
        assert.ok(!line.includes('\n'));
        assert.deepEqual(decode(line), right(event));
      }),
      { numRuns: 1_000 },
    ));

  it('keeps JSON readable', () => {
    const fields = JSON.parse(encodeEventLine(sample)) as Record<string, unknown>;
    assert.deepEqual([fields.data, fields.metadata, fields.revision], [{ amount: 1 }, { tenant: 't' }, 3]);
  });

  it('keeps bytes that are not what JSON.stringify writes as base64', () => {
    const bytes = [Buffer.from('{"a": 1}'), Buffer.from([0xff, 0xfe]), Buffer.from('{"a":1'), Buffer.alloc(0)];
    for (const data of bytes) {
      const fields = JSON.parse(encodeEventLine({ ...sample, data })) as Record<string, unknown>;
      assert.equal(fields.dataBase64, data.toString('base64'));
      assert.ok(!('data' in fields));
    }
  });

  it('survives JSON that is nested deeper than a stack is deep', () => {
    const data = Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    assert.deepEqual(decode(encodeEventLine({ ...sample, data })), right({ ...sample, data }));
  });

  it('is refused without any of its fields, or with another kind of value', () => {
    const fields = JSON.parse(encodeEventLine(sample)) as Record<string, unknown>;
    for (const field of Object.keys(fields)) {
      const { [field]: _, ...rest } = fields;
      assert.ok(isLeft(decodeEventLine(rest)), `without ${field}`);
      if (field === 'data' || field === 'metadata') continue;
      for (const value of [null, true, [], {}, -1, 1.5, ''])
        assert.ok(isLeft(decodeEventLine({ ...fields, [field]: value })), `${field}: ${JSON.stringify(value)}`);
    }
  });

  it('is refused with what is no base64, no id, no time', () => {
    const { data: _, ...fields } = JSON.parse(encodeEventLine(sample)) as Record<string, unknown>;
    assert.ok(isLeft(decodeEventLine({ ...fields, dataBase64: 'a' })));
    assert.ok(isLeft(decodeEventLine({ ...fields, dataBase64: 'ab c' })));
    assert.ok(isLeft(decodeEventLine({ ...fields, data: 1, dataBase64: 'AAAA' })));
    assert.ok(isLeft(decodeEventLine({ ...fields, data: 1, id: '00000000-0000-0000-0000-000000000000' })));
    for (const created of ['2026-13-45T99:99:99Z', '1969-12-31T23:59:59.9999999Z'])
      assert.ok(isLeft(decodeEventLine({ ...fields, data: 1, created })));
    const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    assert.ok(isLeft(decodeEventLine({ ...fields, data: deep })));
  });
});

describe('lines', () => {
  it('are the same however the bytes arrive', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (texts, sizes) => {
          const lines: string[] = [];
          const text = texts.map((line) => `${line}\n`).join('');
          for await (const line of linesOf(inBlocks(text, sizes))) lines[line.number - 1] = line.text;
          assert.deepEqual(lines, texts);
        },
      ),
    ));

  it('are refused when they are not UTF-8, or never end', async () => {
    const drain = async (input: AsyncIterable<Buffer>): Promise<void> => {
      for await (const _ of linesOf(input));
    };
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(8 * 1024 * 1024, 'x');
    }
    async function* invalid(): AsyncGenerator<Buffer> {
      yield Buffer.from([0x7b, 0x0a, 0xff, 0x0a]);
    }
    await assert.rejects(drain(endless()), /Line 1 is longer/);
    await assert.rejects(drain(invalid()), /Line 2 is not UTF-8/);
  });
});
