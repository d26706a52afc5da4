/**
 * Each store of a whole system paused, past the leases of jobs too, and away, one after the other, while runs go on: they end by the rules, and
 * nothing is lost. Elasticsearch is not among them: no view of workflows is an index.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunId } from '../../domain/workflow/ids';
import { limits, planLimits } from '../../domain/workflow/limits';
import { freePort } from '../../infra/operate/launch/free-port';
import { send } from '../../packages/data-directory/src/process-identity';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { descendantsOf, isRunning, type Launched, launch, linkTools } from '../support/processes/launcher';
import { openSystem, type System } from '../support/processes/running-system';
import { seededRandom } from '../support/random/seeded-random';
import { elasticsearchForTests, indexPrefix } from '../support/servers/shared-servers';
import { openPatientTenant, type PatientTenant } from '../support/workflow/patient-tenant';
import { type FollowedRuns, followRuns, historiesOf } from '../support/workflow/recorded-runs';
import { type RunLoad, startRunLoad } from '../support/workflow/running-runs';
import {
  buildWorkflow,
  type Histories,
  untilEnded,
  verifyLogs,
  verifyRules,
  verifyRunAnswers,
  verifyViews,
} from '../support/workflow/verified-runs';

const stores = {
  'the event store': /eventstore-node\/\S+\/main\b/,
  Postgres: /\/postgres -D/,
  Valkey: /valkey-server|redis-server/,
  'the blob store': /adapters\/blobs\/main/,
} as const;
type StoreName = keyof typeof stores;
const names = Object.keys(stores) as readonly StoreName[];

const shortMilliseconds = 6_000;
const longMilliseconds = (limits.leaseSeconds + 8) * 1_000;

describe('workflows while stores fail', function () {
  this.timeout(300_000);
  const home = temporaryDirectory('workflow-stores');
  const data = join(home.path, 'data');
  let septet: Launched;
  let system: System;
  let tenant: PatientTenant;
  let followed: FollowedRuns;
  let load: RunLoad;
  /** Begun after each fault. */
  const later: RunId[] = [];
  let histories: Histories = new Map();
  before(async () => {
    linkTools(data);
    const { url: elasticsearch } = await elasticsearchForTests();
    const prefix = indexPrefix();
    septet = await launch({
      directory: process.cwd(),
      // The blob store is paused and killed apart from the services.
      arguments: ['--processes', '--data', data, '--port', String(await freePort())],
      env: { ELASTICSEARCH_URL: elasticsearch, ELASTICSEARCH_PREFIX: prefix, PRIVATE_ADDRESSES: 'allow' },
    });
    const { POSTGRES_URL: postgresUrl } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
      readonly POSTGRES_URL: string;
    };
    system = openSystem({ url: septet.url, data, postgresUrl, indexPrefix: prefix });
    tenant = await openPatientTenant({ system, home: home.path, workflows: { build: buildWorkflow } });
    followed = followRuns(data, tenant.tenantId);
    load = startRunLoad(tenant, { random: seededRandom(24).next, branches: ['build'], mostActive: 2 });
  });
  after(async () => {
    await load.stop();
    await followed.close();
    await system.close();
    await septet.stop();
    home.remove();
  });

  /** The server and every process of it. */
  const pidsOf = (name: StoreName): readonly number[] => {
    const found = septet.processes().find(({ command }) => stores[name].test(command) && !command.includes('watchdog'));
    assert.ok(found !== undefined, `${name} runs`);
    return [found.pid, ...descendantsOf(found.pid)].filter(isRunning);
  };
  const pause = async (name: StoreName, milliseconds: number): Promise<void> => {
    const pids = pidsOf(name);
    for (const pid of pids) send(pid, 'SIGSTOP');
    await sleep(milliseconds);
    for (const pid of pids) send(pid, 'SIGCONT');
  };
  const untilRecorded = async (more: number): Promise<void> => {
    const { length } = followed.recorded();
    while (followed.recorded().length < length + more) await sleep(20);
  };
  /** A run that begins now succeeds. */
  const recovers = async (): Promise<void> => {
    const [runId] = await tenant.begin('build');
    assert.ok(runId !== undefined);
    later.push(runId);
    const history = historiesOf(await untilEnded(followed, [runId])).get(runId);
    const last = history?.at(-1);
    assert.ok(last?.type === 'RunCompleted' && last.data.result === 'success', JSON.stringify(history?.slice(-3)));
  };

  for (const name of names)
    for (const milliseconds of [shortMilliseconds, longMilliseconds])
      it(`go on after ${name} was paused for ${milliseconds / 1_000} seconds`, async () => {
        await untilRecorded(3);
        await pause(name, milliseconds);
        await recovers();
      });

  for (const name of names)
    it(`go on after ${name} was killed and started again`, async () => {
      await untilRecorded(3);
      const [server] = pidsOf(name);
      send(server as number, 'SIGKILL');
      await recovers();
    });

  it('end by the rules, each trigger once', async () => {
    await load.stop();
    const runIds = [...load.runIds(), ...later];
    const recorded = await untilEnded(followed, runIds);
    histories = historiesOf(recorded);
    verifyRules(recorded, { runIds, concurrentJobs: planLimits.free.concurrentJobs });
  });

  it('are shown as the log has them', () => verifyRunAnswers(tenant, histories));

  it('have whole logs of what succeeded', () => verifyLogs(tenant, histories));

  it('have views that equal a replay of the log', () => verifyViews(data));
});
