/** The documented schemas of the limiter's messages agree with their codecs. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decode } from '../../../domain/kernel/codec';
import { LimitCheck, LimitChecks, LimitSettlement } from '../../../infra/ratelimit/service/http/messages';
import { listRefusals } from '../../../infra/ratelimit/service/http/report-routes';
import { type Components, schemaOf } from '../../../infra/server/http/json-schema';

const isRefused = (codec: t.Decoder<unknown, unknown>, value: unknown): boolean => isLeft(decode(codec, value));
const documented = (codec: t.Any) => {
  const components: Components = new Map();
  schemaOf(codec, components, 'closed');
  return components.get(codec.name) ?? {};
};

const check = { dimensions: {} };

describe('messages of the limiter', () => {
  it('hold from 1 to 100 requests', () => {
    const batchOf = (size: number) => ({ requests: Array.from({ length: size }, () => check) });
    assert.deepEqual(
      [0, 1, 100, 101].map((size) => isRefused(LimitChecks, batchOf(size))),
      [true, false, false, true],
    );
    const { requests } = documented(LimitChecks).properties as { readonly requests: object };
    assert.deepEqual(
      { ...requests, items: undefined },
      { type: 'array', items: undefined, maxItems: 100, minItems: 1 },
    );
    const refused = decode(LimitChecks, batchOf(101));
    assert.deepEqual(isLeft(refused) && refused.left, [{ pointer: '/requests', expected: 'from 1 to 100 of them' }]);
  });

  it('settle by what was used, or by the failure, after which nothing comes', () => {
    const { if: used, then: alone, else: failed } = documented(LimitSettlement);
    assert.deepEqual([used, alone], [{ required: ['actual'] }, { not: { required: ['outcome'] } }]);
    assert.deepEqual(failed, { required: ['outcome'], properties: { final: { const: true } } });
  });

  it('name tools by 1 to 128 characters, and drop none', () => {
    const using = (name: string) => ({ ...check, weight: { tools: { [name]: 1 } } });
    assert.deepEqual(
      ['', 'search', 'a'.repeat(128), 'a'.repeat(129)].map((name) => isRefused(LimitCheck, using(name))),
      [true, false, false, true],
    );
  });

  it('go on from ids that Redis can read', () => {
    const { query } = listRefusals;
    assert.ok(query !== undefined);
    const cursors = ['1767225600000-0', '0-0', '00000000000000000000-00000000000000000000', `${'9'.repeat(20)}-0`];
    assert.deepEqual(
      cursors.map((cursor) => isRefused(query, { cursor })),
      [false, true, true, true],
    );
  });
});
