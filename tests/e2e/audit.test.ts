/**
 * A system with a cluster of Redis, whose services are killed and every one of which is used: what the cluster has, what a client of it keeps, and
 * `npm run audit -- --verify` of all that.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contexts } from '../../domain/contexts';
import { aggregates } from '../../projections/composition/aggregates';
import { openClients } from '../contracts/client/fixture';
import { followPrincipals } from '../contracts/client/principal-follower';
import { principalIdsOf, registerAgent } from '../contracts/client/principals';
import { operatorPrograms } from '../contracts/projections/operator-programs';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { enterByCode } from '../support/identity/first-sign-in';
import { type ClientCredential, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { hasPrerequisite, needs } from '../support/runner/prerequisites';
import { type DedicatedCluster, startDedicatedCluster } from '../support/servers/dedicated-valkey-cluster';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import {
  consumeQuota,
  editTogether,
  forgetPerson,
  importPlaces,
  pushWorkflow,
  shareFile,
  shareVideo,
  writeQuotaPolicy,
} from './audit/every-service';
import { describeCluster } from './audit/redis-cluster';

const prefixOf = (stream: string): string => stream.slice(0, stream.indexOf('-') + 1);

describe('a system of its own', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('audit');
  let cluster: DedicatedCluster;
  let running: RunningSystem;
  let system: System;
  let operator: ClientCredential;
  let tenant: Tenant;
  needs('git');
  before(async () => {
    const policy = join(home.path, 'policy.json');
    writeQuotaPolicy(policy);
    cluster = await startDedicatedCluster();
    const [postgres, elasticsearch] = await Promise.all([fromRunner('postgres'), fromRunner('elasticsearch')]);
    mkdirSync(join(home.path, 'system'));
    running = await startSystem(join(home.path, 'system'), {
      postgres,
      valkey: cluster.urls.slice(0, 2).join(),
      elasticsearch,
      env: { RATELIMIT_POLICY_FILE: policy },
    });
    operator = (await enterByCode({ url: running.address.url, code: running.code })).credential;
    system = openSystem({ ...running.address, credential: operator });
    tenant = await openTenant(system);
  });
  after(async () => {
    await system.close();
    await running.stop();
    await cluster.stop();
    home.remove();
  });

  describeCluster(() => ({ cluster, system, operator, tenant }));

  const tool = (entry: string, ...rest: readonly string[]) =>
    operatorPrograms(() => ({ DATA_DIR: running.address.data })).run(entry, ...rest);

  const categories = async (): Promise<ReadonlySet<string>> =>
    new Set((await system.eventsAfter(null)).map(({ stream }) => prefixOf(stream)));

  it('executes every command of a client once while all services are killed, and sends each event once and in order', async () => {
    const { client, clientWith, close } = await openClients(system.url, tenant.administrator);
    const before = await principalIdsOf(client);
    const followers = [followPrincipals(client, 'sse', 40), followPrincipals(client, 'websocket', 40)];
    await Promise.all(followers.map(({ live }) => live));
    const patient = clientWith({ attempts: 50, timeoutMilliseconds: 120_000 });
    const made: string[] = [];
    const work = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) made.push(await registerAgent(patient));
    };
    const working = [work(), work(), work(), work()];
    running.kill('commands');
    await Promise.all(working);
    assert.equal(new Set(made).size, 40);
    client.observePosition(String(patient.position()));
    assert.equal((await principalIdsOf(client)).length, before.length + 40);
    const [bySse, bySocket] = await Promise.all(followers.map(({ events }) => events));
    assert.deepEqual(new Set(bySse), new Set(made));
    assert.equal(bySse?.length, 40);
    assert.deepEqual(bySocket, bySse);
    await close();
  });

  it('passes its audit, whatever contexts, aggregates and processes have recorded', async () => {
    const canRun = await hasPrerequisite('isolation');
    const [status] = await Promise.all([
      pushWorkflow(tenant, join(home.path, 'storefront'), canRun),
      importPlaces(tenant),
      editTogether(tenant, join(home.path, 'editor')),
      consumeQuota(tenant),
      forgetPerson(tenant),
      shareFile(tenant),
      shareVideo(tenant),
    ]);
    if (canRun) assert.equal(status, 'success');
    const principal = (await system.eventsAfter(null)).find(({ stream }) => stream.startsWith('identity.principal-'));
    const named = ['identity_principals', principal?.stream ?? '', '0', '--reason', 'A drill.'];
    const skipped = await tool('projections/skips.main.ts', 'skip', ...named);
    assert.equal(skipped.code, 0, skipped.output);

    const recorded = async () => [...(await categories())];
    await eventually(async () => assert.ok((await recorded()).includes('ratelimit.usage-')));
    const all = await recorded();
    for (const { name } of contexts)
      assert.ok(
        all.some((category) => category.startsWith(`${name}.`)),
        name,
      );
    for (const process of ['geo.runImportOnStarted-', 'workflow.startRunsOnTriggerReceived-'])
      assert.ok(all.includes(process), process);
    for (const aggregate of ['geo.import-', 'workflow.repository-', 'workflow.run-', 'workflow.organization-'])
      assert.ok(all.includes(aggregate), aggregate);
    assert.deepEqual(
      all.filter((category) => !aggregates.some(({ prefix }) => prefix === category)),
      [],
    );

    const { code, output } = await tool('projections/audit.main.ts', '--verify');
    assert.equal(code, 0, output);
    assert.match(output, /^\d+ events are whole\.$/m);
  });

  it('fails its audit at a stream that no context names', async () => {
    await system.record('workflow.unknown-main.x', 'workflow.Unknown.v1', {});
    const { code, output } = await tool('projections/audit.main.ts', '--verify');
    assert.equal(code, 1);
    assert.match(output, /^damaged: workflow\.unknown-main\.x revision 0 .*No aggregate has such streams\.$/m);
  });
});
