/** Webhooks on their way, with receivers that are away, slow, failing or gone, and workers that die between sending and recording. */
import assert from 'node:assert/strict';
import { eventually } from '../../support/waiting/eventually';
import { type Receiver, startReceiver } from './receiver';
import { openWebhookStage, type WebhookStage } from './stage';

// No attempt is due by the clock of the work queue until a test passes the time.
const noon = '2099-01-31T12:00:00.000Z';

describe('webhooks', function () {
  this.timeout(240_000);
  let stage: WebhookStage;
  let receiver: Receiver;
  before(async () => {
    stage = await openWebhookStage();
  });
  beforeEach(async () => {
    stage.setNow(noon);
    stage.given.diesAfterSending = false;
    stage.startWorkers();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await stage.stopWorkers();
    await receiver.close();
    // Later tests of the same tenant send to their own receivers alone.
    for (const { endpointId } of (await stage.call('listWebhookEndpoints', { query: { limit: 50 } })).body.items ?? [])
      await stage.call('removeWebhookEndpoint', { params: { endpointId } });
  });
  after(() => stage.close());

  const add = async (more: object = {}, tenantId = 'acme') => {
    const body = { url: receiver.url, eventTypes: ['video.ready'], description: '', ...more };
    const added = await stage.call('addWebhookEndpoint', { body, tenantId });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const { endpointId, secret } = added.body as { endpointId: string; secret: string };
    receiver.trust(secret);
    return { endpointId, secret };
  };
  const receivedTimes = (count: number) =>
    eventually(async () => assert.equal(receiver.received.length, count, JSON.stringify(receiver.received)));
  const untilDelivery = (endpointId: string, expected: object) =>
    eventually(async () => {
      const [delivery = {}] = await stage.deliveriesOf(endpointId);
      assert.deepEqual({ ...delivery, ...expected }, delivery, JSON.stringify(delivery));
    });

  const passTime = async (endpointId: string): Promise<void> => {
    const [delivery] = await stage.deliveriesOf(endpointId);
    await stage.passTime(delivery?.deliveryId);
  };

  it('carry what happened, signed, to endpoints that chose its type', async () => {
    const { endpointId, secret } = await add();
    const other = await add({ eventTypes: ['video.failed'] });
    await stage.recordReady('v-1');
    await untilDelivery(endpointId, { status: 'delivered', attempts: 1, statusCode: 204, eventType: 'video.ready' });
    const [webhook] = receiver.received;
    assert.deepEqual(webhook?.verifiedBy, [secret]);
    assert.equal(webhook.timestamp, Date.parse(noon) / 1_000);
    assert.equal(webhook.body.type, 'video.ready');
    assert.deepEqual(webhook.body.data, { videoId: 'v-1', generation: 1 });
    const [delivery] = await stage.deliveriesOf(endpointId);
    assert.equal(delivery?.eventId, webhook.id);
    assert.deepEqual(webhook.cloudEvent, {
      ...{ specversion: '1.0', id: webhook.id, source: 'urn:septet:acme', type: 'video.ready' },
      time: webhook.body.timestamp,
    });
    assert.deepEqual(await stage.deliveriesOf(other.endpointId), []);
  });

  it('carry alerts of detection, with what a receiver needs to react', async () => {
    const { endpointId } = await add({ eventTypes: ['security.alert'] });
    const elsewhere = await add({ eventTypes: ['security.alert'] }, 'globex');
    await stage.raiseAlert();
    await untilDelivery(endpointId, { status: 'delivered', eventType: 'security.alert' });
    const [webhook] = receiver.received;
    assert.deepEqual(webhook?.body.data, {
      ...{ alertId: '5b1f0c9e-2f0a-4b4e-8a51-0f1e2d3c4b5a', rule: 'scope-escalation', severity: 'SEV-3' },
      ...{ principalId: 'p-1', count: 5, incident: 0 },
      ...{ jti: '9b2f6a51-7c1e-4f57-9a07-3f1f0f2e9c10', reason: 'insufficient_scope' },
    });
    assert.equal(webhook.cloudEvent.type, 'security.alert');
    assert.equal(receiver.received.length, 1, 'the other organization gets none of it');
    await stage.call('removeWebhookEndpoint', { params: { endpointId: elsewhere.endpointId }, tenantId: 'globex' });
  });

  it('reach a receiver that was away, in another attempt under the same id', async () => {
    const { endpointId } = await add();
    await receiver.close();
    await stage.recordReady('v-2');
    await untilDelivery(endpointId, {
      ...{ status: 'pending', attempts: 1, statusCode: null, fault: 'no-answer' },
      nextAttemptAt: '2099-01-31T12:00:05.000Z',
    });
    await receiver.listen();
    stage.setNow('2099-01-31T12:00:06.000Z');
    await passTime(endpointId);
    await untilDelivery(endpointId, { status: 'delivered', attempts: 2, fault: null, nextAttemptAt: null });
    const [{ id, timestamp } = { id: '', timestamp: 0 }] = receiver.received;
    const [delivery] = await stage.deliveriesOf(endpointId);
    assert.deepEqual([id, timestamp], [delivery?.eventId, Date.parse(noon) / 1_000 + 6]);
    const params = { endpointId, deliveryId: String(delivery?.deliveryId) };
    const { items = [] } = (await stage.call('listWebhookAttempts', { params, query: { limit: 10 } })).body;
    assert.deepEqual(
      items.map(({ attempt, statusCode, fault }) => [attempt, statusCode, fault]),
      [
        [2, 204, null],
        [1, null, 'no-answer'],
      ],
    );
  });

  it('are tried again when the receiver is slow or fails, with the beginning of its answer', async () => {
    const { endpointId } = await add();
    receiver.behave('silent');
    await stage.recordReady('v-3');
    await untilDelivery(endpointId, { status: 'pending', attempts: 1, fault: 'timed-out' });
    receiver.behave(500);
    await passTime(endpointId);
    await untilDelivery(endpointId, { status: 'pending', attempts: 2, statusCode: 500, excerpt: 'It answers 500.' });
    receiver.behave(302);
    await passTime(endpointId);
    await untilDelivery(endpointId, { status: 'pending', attempts: 3, statusCode: 302 });
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
  });

  it('are given up after all attempts, are sent again by hand, and the endpoint fails until one is accepted', async () => {
    const { endpointId } = await add();
    receiver.behave(500);
    await stage.recordReady('v-4');
    for (let attempts = 1; attempts <= 8; attempts += 1) {
      await untilDelivery(endpointId, { status: attempts === 8 ? 'failed' : 'pending', attempts });
      if (attempts < 8) await passTime(endpointId);
    }
    await eventually(async () => assert.equal((await stage.endpoint(endpointId)).failingSince, noon));
    assert.equal(receiver.received.length, 8);
    receiver.behave(200);
    const [{ deliveryId } = {}] = await stage.deliveriesOf(endpointId);
    const again = await stage.call('redeliverWebhook', { params: { endpointId, deliveryId } });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    await untilDelivery(endpointId, { status: 'delivered', attempts: 9 });
    await eventually(async () => assert.equal((await stage.endpoint(endpointId)).failingSince, null));
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
  });

  it('that wait for an attempt are made at once by hand, and once', async () => {
    const { endpointId } = await add();
    receiver.behave(500);
    await stage.recordReady('v-8');
    await untilDelivery(endpointId, { status: 'pending', attempts: 1 });
    receiver.behave(200);
    const [{ deliveryId } = {}] = await stage.deliveriesOf(endpointId);
    const now = await stage.call('redeliverWebhook', { params: { endpointId, deliveryId } });
    assert.equal(now.status, 200, JSON.stringify(now.body));
    await untilDelivery(endpointId, { status: 'delivered', attempts: 2 });
    stage.setNow('2099-01-31T13:00:00.000Z');
    // The attempt that it had waited for comes before that of another event.
    await stage.recordReady('v-9');
    await receivedTimes(3);
  });

  it('end with a receiver that is gone: the endpoint is disabled, gets no more, and is enabled again', async () => {
    const { endpointId } = await add();
    receiver.behave(410);
    await stage.recordReady('v-5');
    await untilDelivery(endpointId, { status: 'failed', attempts: 1, statusCode: 410 });
    await eventually(async () => assert.equal((await stage.endpoint(endpointId)).disabledReason, 'gone'));
    receiver.behave(204);
    stage.setNow('2099-01-31T12:01:00.000Z');
    assert.equal((await stage.call('testWebhookEndpoint', { params: { endpointId } })).status, 201);
    await untilDelivery(endpointId, { status: 'delivered', eventType: 'webhook.test' });
    await stage.call('enableWebhookEndpoint', { params: { endpointId } });
    assert.equal((await stage.endpoint(endpointId)).disabledReason, null);
    await stage.recordReady('v-6');
    await receivedTimes(3);
  });

  it('that wait for an attempt are canceled when their endpoint is disabled', async () => {
    const { endpointId } = await add();
    receiver.behave(500);
    await stage.recordReady('v-7');
    await untilDelivery(endpointId, { status: 'pending', attempts: 1 });
    await stage.call('disableWebhookEndpoint', { params: { endpointId } });
    await passTime(endpointId);
    await untilDelivery(endpointId, { status: 'canceled', attempts: 1 });
    assert.equal(receiver.received.length, 1);
  });

  it('arrive again under the same id when the worker dies between sending and recording', async () => {
    const { endpointId } = await add();
    stage.given.diesAfterSending = true;
    const before = stage.sent();
    await stage.recordReady('v-8');
    await eventually(async () => assert.equal(stage.sent(), before + 1));
    await stage.stopWorkers();
    assert.equal((await stage.deliveriesOf(endpointId))[0]?.attempts, 0);
    stage.given.diesAfterSending = false;
    stage.startWorkers();
    await untilDelivery(endpointId, { status: 'delivered', attempts: 1 });
    const [first, second] = receiver.received;
    assert.equal(receiver.received.length, 2);
    assert.deepEqual(second?.body, first?.body);
    assert.equal(second?.id, first?.id);
  });

  it('are signed with the earlier secret, too, until its time is over', async () => {
    const { endpointId, secret } = await add();
    const rotated = await stage.call('rotateWebhookSecret', { params: { endpointId }, body: { overlapSeconds: 60 } });
    const next = String(rotated.body.secret);
    receiver.trust(next);
    await stage.recordReady('v-9');
    await receivedTimes(1);
    assert.deepEqual(receiver.received[0]?.verifiedBy, [secret, next]);
    stage.setNow('2099-01-31T12:01:00.000Z');
    await stage.recordReady('v-10');
    await receivedTimes(2);
    assert.deepEqual(receiver.received[1]?.verifiedBy, [next]);
  });

  it('are shown with no secret, and events have none', async () => {
    const { endpointId, secret } = await add();
    const plain = secret.slice('whsec_'.length);
    assert.ok(!JSON.stringify(await stage.endpoint(endpointId)).includes(plain));
    for await (const { data } of stage.store.readAll({ after: null })) assert.ok(!JSON.stringify(data).includes(plain));
    assert.ok(!JSON.stringify(stage.log.lines).includes(plain));
  });

  it('are of one tenant: another one sees, changes, tests and gets none of them', async () => {
    const { endpointId } = await add();
    const foreign = await add({}, 'other');
    await stage.recordReady('v-11');
    await untilDelivery(endpointId, { status: 'delivered' });
    const [{ deliveryId } = {}] = await stage.deliveriesOf(endpointId);
    const other = { params: { endpointId, deliveryId }, query: { limit: 50 }, tenantId: 'other' };
    const body = { url: receiver.url, eventTypes: ['video.ready'], description: 'Theirs' };
    for (const operation of ['disableWebhookEndpoint', 'enableWebhookEndpoint', 'removeWebhookEndpoint'])
      assert.equal((await stage.call(operation, other)).status, 404, operation);
    for (const operation of ['rotateWebhookSecret', 'testWebhookEndpoint', 'redeliverWebhook', 'getWebhookEndpoint'])
      assert.equal((await stage.call(operation, other)).status, 404, operation);
    assert.equal((await stage.call('changeWebhookEndpoint', { ...other, body })).status, 404);
    for (const operation of ['listWebhookDeliveries', 'listWebhookAttempts'])
      assert.deepEqual((await stage.call(operation, other)).body.items, [], operation);
    assert.deepEqual(
      (await stage.call('listWebhookEndpoints', other)).body.items?.map(({ endpointId: id }) => id),
      [foreign.endpointId],
    );
    assert.equal(receiver.received.length, 1);
  });

  it('are added once by a repeated request, which answers the same secret', async () => {
    const body = { url: receiver.url, eventTypes: ['video.ready'], description: '' };
    const repeated = { body, headers: { 'idempotency-key': 'k-1' } };
    const [first, second] = [
      await stage.call('addWebhookEndpoint', repeated),
      await stage.call('addWebhookEndpoint', repeated),
    ];
    assert.deepEqual(second, first);
  });
});

describe('webhooks of an installation that sends to public addresses alone', function () {
  this.timeout(120_000);
  let stage: WebhookStage;
  before(async () => {
    stage = await openWebhookStage({ allowPrivate: false });
  });
  after(() => stage.close());

  for (const url of ['http://localhost:9/', 'https://127.0.0.1/', 'https://169.254.169.254/', 'https://[fd00::1]/'])
    it(`do not go to ${url}`, async () => {
      const body = { url, eventTypes: ['video.ready'], description: '' };
      const refused = await stage.call('addWebhookEndpoint', { body });
      const pointers = (refused.body.errors as readonly { pointer: string }[]).map(({ pointer }) => pointer);
      assert.deepEqual([refused.status, pointers], [400, ['/body/url']]);
    });

  it('do not go to a name that leads to a private address', async () => {
    const body = { url: 'https://localhost/', eventTypes: ['video.ready'], description: '' };
    const { endpointId } = (await stage.call('addWebhookEndpoint', { body })).body;
    stage.startWorkers();
    await stage.call('testWebhookEndpoint', { params: { endpointId } });
    await eventually(async () => {
      const [delivery] = await stage.deliveriesOf(String(endpointId));
      assert.deepEqual([delivery?.status, delivery?.fault], ['failed', 'address-refused']);
    });
  });
});
