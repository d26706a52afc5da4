import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { service } from '../../../../infra/adapters/blobs/main';
import { serviceEnv } from '../../../../infra/operate/launch/service-environment';
import { assertRefused, startGatewayWithServices } from '../../../support/gateway/gateway-services';

const bucket = { S3_BUCKET: 'septet', S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };
const around = {
  stores: {},
  secrets: new Proxy({}, { get: () => '/secret' }) as never,
  data: '/data',
  host: '127.0.0.1',
  ports: { commands: 1, processes: 2, projections: 3, 'read-api': 4, blobs: 5, gateway: 6 },
};

describe('blobs in a bucket', () => {
  const before = process.env.S3_BUCKET;
  afterEach(() => {
    if (before === undefined) delete process.env.S3_BUCKET;
    else process.env.S3_BUCKET = before;
  });

  it('are not looked for at the gateway', async () => {
    const gateway = await startGatewayWithServices();
    await assertRefused(await gateway.call('/blobs/x'), 404, 'not-found');
    await assertRefused(await gateway.call('/blobs/x', { method: 'PUT', body: 'x'.repeat(100) }), 404, 'not-found');
    await gateway.close();
  });

  it('are not served by our own process, which says how the bucket is', async () => {
    const started = await service.start({ ...bucket, PUBLIC_URL: 'http://septet.test', LOG_LEVEL: 'error' });
    assert.ok(isRight(started));
    const url = `http://127.0.0.1:${started.right.port}`;
    assert.equal((await fetch(`${url}/blobs/x`)).status, 404);
    const { ready, parts } = await started.right.ready();
    assert.deepEqual([ready, parts.blobs?.ok], [true, false]);
    await started.right.close();
  });

  it('leave the gateway without an address for them', () => {
    delete process.env.S3_BUCKET;
    assert.equal(serviceEnv('gateway', around).BLOBS_URL, 'http://127.0.0.1:5');
    process.env.S3_BUCKET = 'septet';
    assert.equal(serviceEnv('gateway', around).BLOBS_URL, undefined);
  });
});
