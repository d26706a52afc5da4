import assert from 'node:assert/strict';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';

describe('a gateway that is about to drain', () => {
  const leaving = new AbortController();
  let door: TestedGateway;
  before(async () => {
    door = await startGatewayWithServices({ leaving: leaving.signal });
  });
  after(() => door.close());

  it('says so, answers what comes nevertheless, and keeps no connection', async () => {
    const before = await door.call('/v1/things');
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
    assert.equal((await door.call('/readyz')).status, 200);
    leaving.abort();
    assert.equal((await door.call('/readyz')).status, 503);
    const after = await door.call('/v1/things');
    assert.deepEqual([after.status, after.headers.get('connection')], [200, 'close']);
  });
});
