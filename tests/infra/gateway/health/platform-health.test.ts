/** The platform's health as the gateway answers it: services that are well, ill, silent or paused. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitoredProcesses, openPlatformHealth } from '../../../../infra/gateway/health/platform-health';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { sampleIdentity } from '../../../support/http/http-service';

type HealthReport = {
  status: string;
  items: { name: string; status: string; why: string | null; parts: unknown[]; recent: unknown[] }[];
};

const operator: Identity = { ...sampleIdentity, scopes: ['platform:read'] };
const opened: (() => Promise<unknown>)[] = [];

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const serveJson = (content: unknown) => serve((_request, response) => void response.end(JSON.stringify(content)));
const well = { status: 'ready', parts: { store: { ok: true } }, version: '1.2.3', uptimeSeconds: 7 };

const healthOf = async (services: Record<string, string | undefined>, identity = operator, query = '') => {
  const own = async () => ({ ready: true, parts: {} });
  const platformHealth = openPlatformHealth({
    watched: monitoredProcesses(services),
    own,
    recent: () => [],
    operators: sampleIdentity.tenantId,
    version: '1',
    longestMilliseconds: 150,
  });
  opened.push(platformHealth.close);
  const url = await serve((request, response) => void platformHealth.answer(request, response, identity));
  const response = await fetch(`${url}/v1/platform/health${query}`);
  return { status: response.status, body: (await response.json()) as HealthReport };
};

describe('the health of the platform', () => {
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  it('is well when all are', async () => {
    const { status, body } = await healthOf({ commands: await serveJson(well), blobs: undefined });
    assert.equal(status, 200);
    assert.equal(body.status, 'ok');
    assert.deepEqual(
      body.items.map(({ name, status: one }) => [name, one]),
      [
        ['gateway', 'ok'],
        ['commands', 'ok'],
      ],
    );
  });

  it('shows the last samples of every process to operators only', async () => {
    const recent = [{ series: 'commands', value: 2.5, merge: 'sum' }];
    const services = { commands: await serveJson({ ...well, recent }) };
    const { body } = await healthOf(services);
    assert.deepEqual(body.items[1]?.recent, recent);
    const other = await healthOf(services, { ...operator, tenantId: 'elsewhere' as Identity['tenantId'] });
    assert.equal(other.status, 200);
    assert.deepEqual(other.body.items[1]?.recent, []);
  });

  it('reports the failing checks of every copy', async () => {
    const ill = { ...well, parts: { store: { ok: true }, postgres: { ok: false, detail: 'It is away.' } } };
    const { body } = await healthOf({ 'read-api': `${await serveJson(well)},${await serveJson(ill)}` });
    const [, first, second] = body.items;
    assert.deepEqual(
      [first?.name, first?.status, second?.name, second?.status],
      ['read-api', 'ok', 'read-api-2', 'degraded'],
    );
    assert.equal(second?.why, 'Not in order: postgres.');
    assert.deepEqual(second.parts[1], { name: 'postgres', status: 'down', why: 'It is away.' });
    assert.equal(body.status, 'degraded');
  });

  it('reports processes that are paused, gone or answer nonsense as down, without waiting', async () => {
    const paused = await serve(() => undefined);
    const endless = await serve((_request, response) => void response.write('{"status":'));
    const huge = await serveJson({ ...well, parts: { store: { ok: true, detail: 'x'.repeat(2_000_000) } } });
    const gone = 'http://127.0.0.1:1';
    const { body } = await healthOf({ paused, endless, huge, gone, nonsense: await serveJson({ status: 7 }) });
    const others = body.items.slice(1);
    assert.deepEqual(
      others.map(({ status }) => status),
      ['down', 'down', 'down', 'down', 'down'],
    );
    assert.equal(others[0]?.why, 'It did not answer within 150 ms.');
    assert.equal(body.status, 'down');
  });

  it('tells of one that takes no work or drains', async () => {
    const notReady = { status: 'not-ready', parts: { view: { ok: false, detail: 'stopped' } } };
    const { body } = await healthOf({
      a: await serveJson(notReady),
      b: await serveJson({ status: 'draining', parts: {} }),
    });
    assert.deepEqual(
      body.items.slice(1).map(({ status, why }) => [status, why]),
      [
        ['down', 'It takes no work: view.'],
        ['degraded', 'It finishes its work and ends.'],
      ],
    );
  });

  it('is for those who may read the platform', async () => {
    assert.equal((await healthOf({}, sampleIdentity)).status, 403);
  });

  it('has no parameters, and refuses unknown ones as every route does', async () => {
    const { status, body } = await healthOf({}, operator, '?verbose=1');
    assert.equal(status, 400);
    assert.deepEqual((body as unknown as { readonly errors: unknown }).errors, [
      { pointer: '/query/verbose', expected: 'no parameters' },
    ]);
  });
});
