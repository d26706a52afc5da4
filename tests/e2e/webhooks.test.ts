/** The running system posts events of videos to a receiver, signed, and shows what became of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Receiver, startReceiver } from '../contracts/webhooks/receiver';
import { openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

interface Delivery {
  readonly status: string;
  readonly eventId: string;
  readonly eventType: string;
}

describe('webhooks of the running system', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let receiver: Receiver;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await system.close();
  });

  it('reach an endpoint that was added through the gateway: a test, and the failure of a video', async () => {
    const settings = { url: receiver.url, eventTypes: ['video.failed'], description: 'Pager' };
    const added = await tenant.send('POST', '/v1/webhooks/endpoints', settings);
    assert.equal(added.status, 201);
    const { endpointId, secret } = (await added.json()) as { endpointId: string; secret: string };
    receiver.trust(secret);
    const path = `/v1/webhooks/endpoints/${endpointId}`;
    assert.equal((await tenant.send('POST', `${path}/test`, {})).status, 201);
    await eventually(async () => assert.equal(receiver.received.length, 1));
    const videoId = randomUUID();
    const failure = { videoId, generation: 1, stage: 'probe', code: 'NO_VIDEO', detail: 'The file has no video.' };
    await system.record(`video.video-${tenant.tenantId}.${videoId}`, 'video.VideoFailed.v1', failure, tenant.tenantId);
    await eventually(async () => assert.equal(receiver.received.length, 2));
    const [test, failed] = receiver.received;
    assert.deepEqual([test?.body.type, test?.body.data], ['webhook.test', { endpointId }]);
    const { detail: _, ...data } = failure;
    assert.deepEqual([failed?.body.type, failed?.body.data], ['video.failed', data]);
    for (const { verifiedBy } of receiver.received) assert.deepEqual(verifiedBy, [secret]);
    await eventually(async () => {
      const deliveries = await tenant.list<Delivery>(`${path}/deliveries`);
      assert.deepEqual(
        deliveries.map(({ status, eventId, eventType }) => [status, eventId, eventType]),
        [
          ['delivered', failed?.id, 'video.failed'],
          ['delivered', test?.id, 'webhook.test'],
        ],
      );
    });
  });
});
