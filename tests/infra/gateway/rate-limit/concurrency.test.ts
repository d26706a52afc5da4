import assert from 'node:assert/strict';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { gatewayPolicyOf } from '../../../support/gateway/small-limits';
import { eventually } from '../../../support/waiting/eventually';

const underWay: Rule = {
  name: 'under-way',
  by: ['tenant', 'user'],
  when: { route: ['read'] },
  limit: { algorithm: 'concurrency', limit: 2, leaseMilliseconds: 600_000 },
  onStoreError: 'allow',
};

describe('what may be under way through the gateway at once', () => {
  let gateway: TestedGateway;
  before(async () => {
    gateway = await startGatewayWithServices({ policy: gatewayPolicyOf(underWay) });
  });
  after(() => gateway.close());

  const follow = async () => {
    const leaving = new AbortController();
    const { status } = await gateway.call('/v1/stream', { signal: leaving.signal });
    return { status, leave: () => leaving.abort() };
  };

  it('is so much, and free again when a client has left', async () => {
    const [one, other] = [await follow(), await follow()];
    assert.deepEqual([one.status, other.status, (await follow()).status], [200, 200, 429]);
    one.leave();
    await eventually(async () => assert.equal((await gateway.call('/v1/things')).status, 200));
    other.leave();
  });

  it('is not taken by what is over', async () => {
    await eventually(async () => {
      const answers = await Promise.all([gateway.call('/v1/things'), gateway.call('/v1/things')]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
    });
    for (let time = 0; time < 10; time += 1) {
      const answer = await gateway.call('/v1/things');
      await answer.arrayBuffer();
      assert.equal(answer.status, 200);
    }
  });
});
