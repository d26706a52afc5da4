/** Copies of the workflow service, each a coordinator and a dispatcher with runners of its own, over one log and one database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { handle } from '../../../commands/kernel/handle';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { RunId, RunnerId } from '../../../domain/workflow/ids';
import { runnerProtocol } from '../../../domain/workflow/protocol/runner';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { sized } from '../../support/runner/size';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { freshDatabase } from '../../support/servers/shared-servers';
import { admin, value } from '../../support/workflow/control-service';
import type { WrittenJobs } from '../../support/workflow/definitions';
import { startQuickRunner } from '../../support/workflow/quick-runner';
import { followRunsOf } from '../../support/workflow/recorded-runs';
import { request } from '../../support/workflow/runs';
import { type ServiceCopy, startServiceCopy } from '../../support/workflow/service-copy';
import { untilEnded, verifyRules } from '../../support/workflow/verified-runs';

const acme = 'acme' as TenantId;
const runs = sized({ short: 12, long: 100 });
const concurrentJobs = 4;
const leaseMilliseconds = 4_000;
const jobs: WrittenJobs = {
  build: { lostRetries: 5 },
  test: { needs: ['build'], lostRetries: 5 },
  lint: { needs: ['build'], lostRetries: 5 },
};
const file = { path: '.github/workflows/build.yml', content: Buffer.from(JSON.stringify(jobs)) };
const git = { workflowFiles: async () => right([file]), commits: async () => right([]) } as unknown as GitRepositories;
const coordinates = 'this copy coordinates runs';

describe('copies of the workflow service', function () {
  this.timeout(600_000);
  const log = logOnNode('workflow-copies');
  const directory = useTemporaryDirectory('workflow-copies');
  let postgresUrl: string;
  let blobs: BlobStore;
  const running: ServiceCopy[] = [];
  before(async () => {
    postgresUrl = await freshDatabase();
    assert.ok(isRight(await migrate({ url: postgresUrl, readerPassword: 'reads' })));
    blobs = value(openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://127.0.0.1:1/blobs' }));
  });
  after(async () => {
    await Promise.all(running.map((copy) => copy.close()));
    await blobs.close();
  });

  const startCopy = async (name: string): Promise<ServiceCopy> => {
    const options = { name, eventStoreUrl: log.node.url, postgresUrl, blobs, git, leaseMilliseconds };
    const copy = await startServiceCopy(options);
    running.push(copy);
    return copy;
  };
  let connections = 0;
  /** Connections are spread over the copies that run. */
  const nextCopy = (): ServiceCopy | undefined => {
    connections += 1;
    return running[connections % running.length];
  };
  const startRunner = async (copy: ServiceCopy, index: number) => {
    const issued = await copy.call('/v1/workflow/runner-tokens', { method: 'POST', identity: admin });
    const { token } = (await issued.json()) as { readonly token: string };
    const body = { token, name: `runner-${index}`, labels: ['linux'], isolation: 'bwrap', protocol: runnerProtocol };
    const registered = await copy.post('/runner/register', 'none', body);
    assert.equal(registered.status, 201);
    const { runnerId, credential } = (await registered.json()) as { runnerId: RunnerId; credential: string };
    const options = { runnerId, credential, copies: () => running, nextCopy };
    return startQuickRunner({ ...options, assignmentsPerConnection: 3 + (index % 2) });
  };
  const requestRun = async ({ adapters }: ServiceCopy): Promise<RunId> => {
    const runId = randomUUID() as RunId;
    const requested = await handle(adapters, runDecider, {
      stream: runStream(acme, runId),
      command: { ...request, runId } as RunCommand,
      commandId: randomUUID(),
      tenant: acme,
      actor: 'person-1',
      correlationId: runId,
    });
    value(requested);
    return runId;
  };
  const coordinators = (copies: readonly ServiceCopy[]): readonly ServiceCopy[] =>
    copies.filter(({ lines }) => lines.some(({ message }) => message === coordinates));
  /** Nothing of it is called any more, and nothing of it is released. */
  const killCoordinator = async (): Promise<void> => {
    const [coordinator] = coordinators(running);
    assert.ok(coordinator !== undefined, 'no copy coordinates');
    running.splice(running.indexOf(coordinator), 1);
    await coordinator.kill();
  };

  it(`end ${runs} runs by the rules while connections break, and the one that coordinates is killed`, async () => {
    const first = await startCopy('first');
    await startCopy('second');
    const at = new Date().toISOString() as Instant;
    value(await first.adapters.claims.setLimits({ tenantId: acme, concurrentJobs, secondsPerMonth: null, at }));
    const runners = await Promise.all(Array.from({ length: 6 }, (_, index) => startRunner(first, index)));
    const followed = followRunsOf(openEventStore({ url: log.node.url }), acme);
    const runIds = await Promise.all(
      Array.from({ length: runs }, (_, index) => requestRun(running[index % 2] ?? first)),
    );
    await untilEnded(followed, runIds, Math.floor(runs / 4));
    await startCopy('third');
    await killCoordinator();
    const recorded = await untilEnded(followed, runIds);
    await Promise.all(runners.map((runner) => runner.stop()));
    await followed.close();

    verifyRules(recorded, { runIds, concurrentJobs });
    const begun = runners.flatMap((runner) => runner.begun);
    const completed = runners.flatMap((runner) => runner.completed);
    const leaseOf = ({ jobId, epoch }: { readonly jobId: string; readonly epoch: number }): string =>
      `${jobId} ${epoch}`;
    assert.equal(new Set(begun.map(leaseOf)).size, begun.length, 'a job began twice under one epoch');
    const assigned = new Map(
      recorded.flatMap(({ event }) =>
        event.type === 'JobAssigned' ? [[leaseOf(event.data), event.data.runnerId] as const] : [],
      ),
    );
    for (const job of begun) assert.equal(assigned.get(leaseOf(job)), job.runnerId);
    const ended = new Set(
      recorded.flatMap(({ event }) => (event.type === 'JobCompleted' ? [leaseOf(event.data)] : [])),
    );
    assert.deepEqual(
      completed.filter((job) => !ended.has(leaseOf(job))),
      [],
      'a confirmed end is not in the log',
    );
    // Else nothing was tried.
    assert.ok(new Set(runners.flatMap(({ assignedBy }) => [...assignedBy])).size > 1, 'one copy gave every job');
    assert.ok(
      runners.some((runner) => runner.broken() > 0),
      'no connection broke',
    );
    assert.ok(coordinators(running).length > 0, 'no other copy coordinated');
  });
});
