/**
 * kill -9 of the managed runner and of every process around it while workflows run: each run ends as it would undisturbed, by the rules of runs,
 * the views show what the log says, and the log of each attempt that succeeded is whole.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { type RunEvent, runs } from '../../domain/workflow/run/events';
import { openEventStore } from '../../infra/eventstore/event-store';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { elasticsearchForTests, fromRunner, valkeyForTests } from '../support/servers/shared-servers';
import { eventually, pauseAfter } from '../support/waiting/eventually';
import { commitFiles, gitWorks } from '../support/workflow/git-client';
import { brokenRunRules } from '../support/workflow/runs';

const runCount = 6;
const lines = 40;
const victims = [
  ...['runner', 'workflow', 'processes', 'projections', 'runner', 'blobs', 'workflow', 'read-api', 'gateway'],
  ...['runner', 'workflow', 'commands', 'projections', 'processes'],
] as const;
const killEveryMilliseconds = 3_000;
/** Leases of 20 seconds end before a killed runner's jobs are tried again, and each may be hit more than once. */
const longestMilliseconds = 420_000;

const build = `name: Build
on: { push: { branches: [main] } }
jobs:
  parts:
    runs-on: ubuntu-latest
    strategy: { fail-fast: false, matrix: { part: [one, two, three] } }
    steps:
      - run: for i in $(seq 1 ${lines}); do echo "\${{ matrix.part }} $i"; sleep 0.02; done
  whole:
    needs: parts
    runs-on: ubuntu-latest
    steps:
      - run: echo whole
`;

interface Job {
  readonly jobId: string;
  readonly name: string;
  readonly status: string;
}
interface Run {
  readonly runId: string;
  readonly status: string;
  readonly jobs: readonly Job[];
}
interface LogPage {
  readonly chunks: readonly { readonly chunkOffset: number; readonly text: string }[];
  readonly complete: boolean;
}

/** A killed runner takes attempts with it, so that a job may lose more of them than its policy allows. */
const ends = new Set(['success', 'failure']);

describe('workflows while processes are killed', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('workflow-kills');
  let running: RunningSystem;
  let system: System;
  let tenant: Tenant;
  let repoId = '';
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      fromRunner('postgres'),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    running = await startSystem(home.path, { postgres, valkey: valkey.url, elasticsearch: elasticsearch.url });
    system = openSystem(running.address);
    tenant = await openTenant(system);
  });
  after(async () => {
    await system.close();
    await running.stop();
    home.remove();
  });

  const runIds = async (): Promise<readonly string[]> => {
    const path = `/repos/${repoId}/actions/runs?limit=50`;
    return (await contentOf<{ items: readonly Run[] }>(tenant.read(path))).items.map(({ runId }) => runId);
  };
  const runOf = (runId: string): Promise<Run> => contentOf<Run>(tenant.read(`/actions/runs/${runId}`));

  const begin = async (): Promise<void> => {
    const made = await contentOf<{ id: string; clone_url: string }>(
      tenant.send('POST', '/v1/workflow/repositories', { name: 'storefront' }),
    );
    repoId = made.id;
    const checkout = join(home.path, 'storefront');
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
    const commitSha = await commitFiles(checkout, { '.github/workflows/build.yml': build });
    const url = new URL(made.clone_url);
    Object.assign(url, { username: 'ada', password: tenant.adminToken });
    await gitWorks(checkout, 'push', '--quiet', url.href, 'main');
    const body = { eventType: 'push', branch: 'main', commitSha, actorId: 'ada' };
    for (let count = 1; count < runCount; count += 1)
      await contentOf(tenant.send('POST', `/repos/${repoId}/events`, body));
    await eventually(async () => assert.equal((await runIds()).length, runCount));
  };

  /** What does not answer right now is asked again. */
  const unended = async (): Promise<number> => {
    try {
      const found = await Promise.all((await runIds()).map(runOf));
      return found.length === runCount ? found.filter(({ status }) => !ends.has(status)).length : runCount;
    } catch {
      return runCount;
    }
  };

  const histories = async (): Promise<ReadonlyMap<string, readonly RunEvent[]>> => {
    const { EVENTSTORE_WRITER_URL: url } = JSON.parse(readFileSync(join(running.address.data, 'run.json'), 'utf8')) as {
      readonly EVENTSTORE_WRITER_URL: string;
    };
    const store = openEventStore({ url });
    const found = new Map<string, RunEvent[]>();
    const prefix = `workflow.run-${tenant.tenantId}.`;
    for await (const { stream, type, data } of store.readAll({ after: null, filter: { streams: [prefix] } })) {
      const event = runs.decode(type, data);
      assert.ok(isRight(event), type);
      const id = stream.slice(prefix.length);
      found.set(id, [...(found.get(id) ?? []), event.right]);
    }
    await store.close();
    return found;
  };

  it('end by the rules, and are shown as the log has them', async () => {
    await begin();
    const waiting = [...victims];
    const began = Date.now();
    for (let killed = 0; ; killed += 1) {
      const victim = waiting.shift();
      if (victim !== undefined) running.kill(victim);
      else if ((await unended()) === 0) break;
      const until = Date.now() + killEveryMilliseconds;
      while (Date.now() < until) await pauseAfter(1_000);
      assert.ok(
        Date.now() - began < longestMilliseconds,
        `${await unended()} runs have not ended after ${killed} kills`,
      );
    }
    const recorded = await histories();
    assert.equal(recorded.size, runCount);
    const lost = [...recorded.values()].flat().filter(({ type }) => type === 'JobLost').length;
    assert.ok(lost > 0, 'the runner was killed with a job');
    for (const [runId, history] of recorded) {
      assert.deepEqual(brokenRunRules(history), [], runId);
      const last = history.at(-1);
      assert.equal(last?.type, 'RunCompleted');
      assert.equal((await runOf(runId)).status, last.data.result);
    }
  });

  it('have whole logs of what succeeded', async () => {
    let whole = 0;
    for (const runId of await runIds())
      for (const { jobId, name, status } of (await runOf(runId)).jobs) {
        const [, part] = /^parts \((\w+)\)$/.exec(name) ?? [];
        if (status !== 'success' || part === undefined) continue;
        let text = '';
        await eventually(async () => {
          const page = await contentOf<LogPage>(tenant.read(`/actions/jobs/${jobId}/logs`));
          assert.ok(page.complete);
          assert.deepEqual(
            page.chunks.map(({ chunkOffset }) => chunkOffset),
            [...page.chunks.keys()],
          );
          text = page.chunks.map((chunk) => chunk.text).join('');
        });
        const expected = Array.from({ length: lines }, (_, index) => `${part} ${index + 1}`);
        assert.deepEqual(
          text.split('\n').filter((line) => new RegExp(`^${part} \\d+$`).test(line)),
          expected,
        );
        whole += 1;
      }
    assert.ok(whole > 0);
  });
});
