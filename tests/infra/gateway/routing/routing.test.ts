import assert from 'node:assert/strict';
import { resolveDestination } from '../../../../infra/gateway/routing';

describe('where the gateway sends a request', () => {
  const upstream = (method: string, target: string) => resolveDestination(method, target)?.upstream;

  it('is the query API for what is read, the command API for what is changed', () => {
    assert.equal(upstream('GET', '/v1/principals'), 'read-api');
    assert.equal(upstream('HEAD', '/v1/principals?limit=1'), 'read-api');
    assert.equal(upstream('POST', '/v1/principals'), 'commands');
    assert.equal(upstream('GET', '/elsewhere'), undefined);
  });

  it('is the processes for work, read or changed, and never without a token', () => {
    for (const [method, target] of [
      ['GET', '/v1/platform/work/dead-letters?cursor=9'],
      ['POST', '/v1/platform/work/dead-letters/9/replay'],
    ] as const)
      assert.deepEqual(resolveDestination(method, target), { upstream: 'processes', public: false });
    assert.equal(upstream('GET', '/v1/platform/working'), 'read-api');
  });

  it('is always the same copy of the editor for a document’s content, and any service for its metadata', () => {
    const owner = { upstream: 'editor', public: false, key: 'd-1' };
    for (const [method, target] of [
      ['GET', '/v1/documents/d-1/socket'],
      ['POST', '/v1/documents/d-1/operations:batch'],
      ['GET', '/v1/documents/d-1/versions/7'],
      ['POST', '/v1/documents/d-1/versions/7:restore'],
      ['GET', '/v1/documents/d-1/diff?from=1&to=2'],
      ['POST', '/v1/documents/d-1:duplicate'],
    ] as const)
      assert.deepEqual(resolveDestination(method, target), owner, target);
    assert.equal(upstream('GET', '/v1/documents/d-1'), 'read-api');
    assert.equal(upstream('GET', '/v1/documents/d-1/operations?afterVersion=3'), 'read-api');
    assert.equal(upstream('GET', '/v1/documents/d-1/versions'), 'read-api');
    assert.equal(upstream('POST', '/v1/documents'), 'commands');
    assert.equal(upstream('POST', '/v1/documents/d-1/members'), 'commands');
  });
});
