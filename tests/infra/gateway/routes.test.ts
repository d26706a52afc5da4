import assert from 'node:assert/strict';
import { destinationOf } from '../../../infra/gateway/routes';

describe('where the gateway sends a request', () => {
  const upstream = (method: string, target: string) => destinationOf(method, target)?.upstream;

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
      assert.deepEqual(destinationOf(method, target), { upstream: 'processes', public: false });
    assert.equal(upstream('GET', '/v1/platform/working'), 'read-api');
  });
});
