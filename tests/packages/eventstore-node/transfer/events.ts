/** Events as they may stand in a log, made at random. */
import * as fc from 'fast-check';
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/format/event-line';

const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => Buffer.from(JSON.stringify(value)));
/** What JSON.parse takes and JSON.stringify writes in another way. */
const unusual = fc
  .constantFrom(
    '{"a": 1}',
    ' 1',
    '1.0',
    '-0',
    '1e400',
    '{"a":1,"a":2}',
    '"\\u0041"',
    '{"__proto__":1}',
    '{"2":1,"1":2}',
  )
  .map((text) => Buffer.from(text));
const payload = fc.oneof(bytes, json, unusual, fc.constant(Buffer.alloc(0)));

const stream = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((name) => Buffer.from(name)),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((array) => Buffer.from(array)),
);

const created = fc
  .tuple(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }), fc.nat(9_999))
  .map(([date, rest]) => `${date.toISOString().slice(0, -1)}${String(rest).padStart(4, '0')}Z`);

export const loggedEvent: fc.Arbitrary<LoggedEvent> = fc.record(
  {
    stream,
    revision: fc.oneof(fc.maxSafeNat(), fc.constant(Number.POSITIVE_INFINITY)),
    id: fc.uuid(),
    type: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    json: fc.boolean(),
    created,
    position: fc.maxSafeNat(),
    data: payload,
    metadata: payload,
  },
  { noNullPrototype: true },
);
