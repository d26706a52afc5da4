/** What is read of the bytes of an Envoy, or of an attacker that imitates one. */
import assert from 'node:assert/strict';
import { maxSizes } from '../../../infra/ratelimit/envoy/messages';
import { decodeRequest } from '../../../infra/ratelimit/envoy/protobuf-codec';
import { nested } from '../../contracts/ratelimit/envoy/protobuf-bytes';

describe('a request of an Envoy', () => {
  const many = (field: number): Buffer => Buffer.concat(Array(30_000).fill(nested(field)));

  it('is read no further than shows that it has too many descriptors, and what comes after them still is', () => {
    const { descriptors, domain } = decodeRequest(Buffer.concat([many(2), nested(1, 'acme')]));
    assert.equal(descriptors.length, maxSizes.descriptors + 1);
    assert.equal(domain, 'acme');
  });

  it('is read no further than shows that a descriptor has too many entries', () => {
    const [descriptor] = decodeRequest(nested(2, many(1))).descriptors;
    assert.equal(descriptor?.entries.length, maxSizes.entries + 1);
  });
});
