/** The door for Envoys where it is guarded, for some domains only, and while nothing can be counted. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentials, status } from '@grpc/grpc-js';
import { freePort } from '../../../../infra/operate/launch/free-port';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { requirePrerequisites } from '../../../support/runner/prerequisites';
import { certificatesIn } from '../../../support/servers/certificates';
import { openProxy } from '../../../support/servers/proxy';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { bucket, startLimiterService } from '../service/fixture';
import { openEnvoy, type RequestedDescriptor } from './envoy-client';

const user = [{ entries: { user: 'u' } }];
const refusedWith = (code: status, asking: Promise<unknown>): Promise<void> =>
  assert.rejects(asking, (error: { readonly code?: number }) => error.code === code);

const openBoth = async (rules: readonly Rule[]) => {
  const port = String(await freePort());
  const stage = await startLimiterService({ rules, env: { RATELIMIT_GRPC_PORT: port } });
  return { stage, envoy: openEnvoy(`127.0.0.1:${port}`) };
};

/** False where there is no openssl. */
const makeClient = (path: string): boolean => {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=envoy'];
  return spawnSync('openssl', ['req', '-x509', ...kind, '-keyout', `${path}.key`, '-out', `${path}.crt`]).status === 0;
};

describe('the gRPC endpoint for Envoy', () => {
  it('accepts only known client certificates over TLS', async () => {
    await requirePrerequisites('openssl');
    const home = temporaryDirectory('envoy-tls');
    const fileIn = (name: string): string => join(home.path, name);
    for (const name of ['known', 'strange']) assert.ok(makeClient(fileIn(name)));
    const certs = await certificatesIn(fileIn('server'));
    const port = String(await freePort());
    const stage = await startLimiterService({
      rules: [bucket('users')],
      env: {
        RATELIMIT_GRPC_PORT: port,
        RATELIMIT_GRPC_CERTIFICATE_FILE: join(certs, 'node.crt'),
        RATELIMIT_GRPC_KEY_FILE: join(certs, 'node.key'),
        RATELIMIT_GRPC_CLIENT_AUTHORITIES_FILE: fileIn('known.crt'),
      },
    });
    const as = (...pair: readonly string[]) => {
      const [key, certificate] = pair.map((name) => readFileSync(fileIn(name)));
      return openEnvoy(
        `localhost:${port}`,
        credentials.createSsl(readFileSync(join(certs, 'ca.crt')), key, certificate),
      );
    };
    const known = as('known.key', 'known.crt');
    assert.equal((await known.shouldRateLimit({ domain: stage.tenant, descriptors: user })).code, 'OK');
    const others = [as(), as('strange.key', 'strange.crt'), openEnvoy(`127.0.0.1:${port}`)];
    for (const other of others)
      await assert.rejects(other.shouldRateLimit({ domain: stage.tenant, descriptors: user }));
    for (const one of [known, ...others]) one.close();
    await stage.close();
    home.remove();
  });

  it('limits the configured domains, and passes other domains and limits in requests', async () => {
    const port = String(await freePort());
    const stage = await startLimiterService({
      rules: [bucket('users')],
      env: { RATELIMIT_GRPC_PORT: port, RATELIMIT_GRPC_DOMAINS: 'known' },
    });
    const envoy = openEnvoy(`127.0.0.1:${port}`);
    const own = [{ entries: { tenant: stage.tenant, user: 'u' }, limit: [1_000, 1] as const }];
    const codeFor = async (domain: string) => (await envoy.shouldRateLimit({ domain, descriptors: own })).code;
    for (let attempt = 0; attempt < 5; attempt += 1) assert.equal(await codeFor('unknown'), 'OK');
    const codes = [];
    for (let attempt = 0; attempt < 4; attempt += 1) codes.push(await codeFor('known'));
    assert.deepEqual(codes, ['OK', 'OK', 'OK', 'OVER_LIMIT']);
    envoy.close();
    await stage.close();
  });

  it('leaves to the Envoy what then holds when nothing can be counted and a rule closes', async () => {
    const proxy = await openProxy((await valkeyForTests()).url);
    const port = String(await freePort());
    const stage = await startLimiterService({
      redis: proxy.url,
      rules: [bucket('users'), bucket('devices', { by: ['device'], onStoreError: 'allow' })],
      env: { RATELIMIT_GRPC_PORT: port },
    });
    const envoy = openEnvoy(`127.0.0.1:${port}`);
    const shouldRateLimit = (descriptors: typeof user | readonly { readonly entries: { readonly device: string } }[]) =>
      envoy.shouldRateLimit({ domain: stage.tenant, descriptors });
    assert.equal((await shouldRateLimit(user)).code, 'OK');
    proxy.away();
    await eventually(() => refusedWith(status.UNAVAILABLE, shouldRateLimit(user)));
    assert.equal((await shouldRateLimit([{ entries: { device: 'd' } }])).code, 'OK');
    proxy.back();
    await eventually(async () => assert.equal((await shouldRateLimit(user)).code, 'OK'));
    envoy.close();
    await stage.close();
    await proxy.close();
  });

  it('refuses what is no question', async () => {
    const { stage, envoy } = await openBoth([bucket('users')]);
    const shouldRateLimit = (descriptors: readonly RequestedDescriptor[]) =>
      envoy.shouldRateLimit({ domain: stage.tenant, descriptors });
    const entries = (given: Readonly<Record<string, string>>, more: Partial<RequestedDescriptor> = {}) => ({
      entries: given,
      ...more,
    });
    const user = entries({ user: 'x' });
    const wrong = [
      { domain: '', descriptors: [user] },
      { domain: 'd', descriptors: [] },
      { domain: 'd', descriptors: Array.from({ length: 65 }, () => user) },
    ];
    for (const request of wrong) await refusedWith(status.INVALID_ARGUMENT, envoy.shouldRateLimit(request));
    await refusedWith(status.RESOURCE_EXHAUSTED, shouldRateLimit([entries({ user: 'x'.repeat(5_000_000) })]));
    for (const bytes of [Buffer.from([0x0a, 0xff]), Buffer.alloc(64, 0xff)]) await assert.rejects(envoy.raw(bytes));
    assert.equal((await shouldRateLimit([entries({ user: 'after-all' })])).code, 'OK');
    envoy.close();
    await stage.close();
  });

  it('refuses a plan that the policy does not have, and takes nothing', async () => {
    const port = String(await freePort());
    const stage = await startLimiterService({
      rules: [bucket('users')],
      policy: { plans: { pro: [bucket('users')] } },
      env: { RATELIMIT_GRPC_PORT: port },
    });
    const envoy = openEnvoy(`127.0.0.1:${port}`);
    const shouldRateLimit = (...plans: readonly string[]) =>
      envoy.shouldRateLimit({
        domain: stage.tenant,
        descriptors: plans.map((plan) => ({ entries: { user: 'u', plan } })),
      });
    await refusedWith(status.INVALID_ARGUMENT, shouldRateLimit('pro', 'por'));
    assert.equal((await shouldRateLimit('pro')).statuses[0]?.remaining, 2);
    envoy.close();
    await stage.close();
  });

  it('takes what Envoy’s own service takes: any number of hits, long values, and descriptors that say nothing', async () => {
    const { stage, envoy } = await openBoth([bucket('users')]);
    const codeOf = async (entries: Readonly<Record<string, string>>, hits?: number) =>
      (
        await envoy.shouldRateLimit({
          domain: stage.tenant,
          descriptors: [{ entries, ...(hits === undefined ? {} : { hits }) }],
        })
      ).code;
    for (const hits of [4, 2 ** 40, 2 ** 53, 2 ** 63]) assert.equal(await codeOf({ user: 'many' }, hits), 'OVER_LIMIT');
    assert.equal(await codeOf({ user: 'many' }, 3), 'OK');
    assert.equal(await codeOf({ user: 'x'.repeat(70_000) }), 'OK');
    for (const entries of [{}, { '': 'x' }] as readonly Readonly<Record<string, string>>[])
      for (let attempt = 0; attempt < 4; attempt += 1) assert.equal(await codeOf(entries), 'OK');
    envoy.close();
    await stage.close();
  });

  it('reports that it serves', async () => {
    const { stage, envoy } = await openBoth([bucket('users')]);
    assert.deepEqual(await envoy.health('envoy.service.ratelimit.v3.RateLimitService'), { 1: [1] });
    await refusedWith(status.NOT_FOUND, envoy.health('other'));
    envoy.close();
    await stage.close();
  });
});
