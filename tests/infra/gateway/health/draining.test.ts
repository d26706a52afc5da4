import assert from 'node:assert/strict';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';

describe('a gateway that is about to drain', () => {
  const leaving = new AbortController();
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ leaving: leaving.signal });
  });
  after(() => gateway.close());

  it('says so, answers what comes nevertheless, and keeps no connection', async () => {
    const before = await gateway.call('/v1/things');
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
    assert.equal((await gateway.call('/readyz')).status, 200);
    leaving.abort();
    assert.equal((await gateway.call('/readyz')).status, 503);
    const after = await gateway.call('/v1/things');
    assert.deepEqual([after.status, after.headers.get('connection')], [200, 'close']);
  });
});
