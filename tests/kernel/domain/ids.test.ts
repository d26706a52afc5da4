import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { idOf, parseStreamName, streamName, TenantId } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import { valuesOf } from '../../support/domain/arbitrary';

describe('stream names', () => {
  const parts = fc.record(
    {
      context: fc.stringMatching(/^[a-z]{1,9}$/),
      aggregate: fc.stringMatching(/^[a-z][A-Za-z]{0,9}$/),
      tenant: valuesOf(TenantId),
      id: valuesOf(idOf('Id')),
    },
    { noNullPrototype: true },
  );

  it('say all of their parts', () =>
    fc.assert(fc.property(parts, (named) => assert.deepEqual(parseStreamName(streamName(named)), named))));

  it('differ when a part differs', () =>
    fc.assert(
      fc.property(parts, parts, (one, other) =>
        assert.equal(streamName(one) === streamName(other), JSON.stringify(one) === JSON.stringify(other)),
      ),
    ));

  it('begin with a category without a dash', () =>
    assert.equal(
      streamName({ context: 'identity', aggregate: 'principal', tenant: 'a-b' as TenantId, id: 'p-1' }).split('-')[0],
      'identity.principal',
    ));

  for (const name of ['', 'identity', 'identity.principal-acme', 'identity.principal-Acme.x', '$$identity.p-a.x'])
    it(`are not “${name}”`, () => assert.equal(parseStreamName(name), undefined));
});

describe('tenants and ids', () => {
  for (const tenant of ['', '-a', 'A', 'a.b', 'a/b', 'a b', 'a\n', 'a'.repeat(64), 'ä'])
    it(`no tenant is ${JSON.stringify(tenant)}`, () => assert.equal(TenantId.is(tenant), false));
  for (const id of ['', '.', '..', 'a.b', '-a', 'a/b', 'a\u0000', 'a'.repeat(129)])
    it(`no id is ${JSON.stringify(id)}`, () => assert.equal(idOf('Id').is(id), false));
});

describe('metadata', () => {
  it('keeps what it makes values of', () =>
    fc.assert(fc.property(valuesOf(EventMetadata), (metadata) => assert.ok(EventMetadata.is(metadata)))));
});
