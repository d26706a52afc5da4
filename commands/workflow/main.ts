/** The workflow service: repositories, runs, runners, logs and artifacts. Any number of copies may run; one of them coordinates runs. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { claimBounds, limits } from '../../domain/workflow/limits';
import { groupRules } from '../../domain/workflow/run/concurrency-group';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../infra/adapters/postgres/processes/lease-store';
import { createPostgresActiveRuns } from '../../infra/adapters/postgres/workflow/active-runs';
import { createPostgresArtifactIndex } from '../../infra/adapters/postgres/workflow/artifact-index';
import { createPostgresConcurrencyGroups } from '../../infra/adapters/postgres/workflow/concurrency-groups';
import { openPostgresJobClaims } from '../../infra/adapters/postgres/workflow/job-claims';
import { createPostgresLogRetention } from '../../infra/adapters/postgres/workflow/log-retention';
import { openPostgresLogStore } from '../../infra/adapters/postgres/workflow/log-store';
import { openRedactingStore } from '../../infra/adapters/vault/encrypting-store';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { Health, PartHealth } from '../../infra/ports/runtime/health';
import type { Random } from '../../infra/ports/runtime/random';
import { callerKeysOf, callerVariables, serve } from '../../infra/server/http/routing/serve';
import { guardLog } from '../../infra/server/log-identity/composition/open-log-guard';
import { endForAnotherLog } from '../../infra/server/log-identity/end-for-another-log';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { runProcess, type ServiceContext, service } from '../../infra/server/runtime/service';
import { tracedEventStore } from '../../infra/server/trace/traced-event-store';
import { webSocketEndpoint } from '../../infra/server/ws/endpoint';
import { withoutPostgres } from '../composition/process-stores';
import { createCommandMetrics } from '../kernel/command-metrics';
import { createExclusiveAggregates } from '../kernel/exclusive-aggregates';
import type { OpenedPart } from './adapters';
import { adapterVariables, openAdapters } from './composition/open-adapters';
import { openGraphs } from './graphs';
import { parts } from './parts';
import type { RunsAdapters } from './runs/open-runs';
import { openRunRegistry } from './runs/run-registry';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  PUBLIC_URL: variables.PUBLIC_URL,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  WORKFLOW_JOB_KEY: variables.WORKFLOW_JOB_KEY,
  ...callerVariables,
  ...blobVariables,
  ...adapterVariables,
};
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openStores = (url: string, values: Config, context: ServiceContext) => {
  const { log, signal } = context;
  const { EVENTSTORE_URL: eventStoreUrl } = values;
  const guard = guardLog({ eventStoreUrl, postgresUrl: url, log, signal });
  const bare = openEventStore({ url: eventStoreUrl, log, signal, replaced: endForAnotherLog(log) });
  const store = openRedactingStore(tracedEventStore(guard.guard(bare), context));
  const blobs = openBlobs(values, `${values.PUBLIC_URL}/blobs`);
  // Graphs, logs and artifacts have no other place, so a faulty configuration stops the process.
  if (isLeft(blobs)) throw new Error(blobs.left.detail);
  const pool = openDurablePool({ url, connections: 20, name: 'septet-workflow' });
  const claims = openPostgresJobClaims({ pool, bounds: claimBounds });
  const logs = openPostgresLogStore({ pool, blobs: blobs.right });
  const leases = openPostgresLeaseStore({ pool });
  const opened = [store, guard, blobs.right, claims, leases, logs];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close()));
    await pool.end();
  };
  const rows = { checkpoints: createPostgresCheckpoints(pool), activeRuns: createPostgresActiveRuns(pool) };
  const groups = createPostgresConcurrencyGroups(pool, groupRules);
  const artifacts = createPostgresArtifactIndex(pool);
  const logRetention = createPostgresLogRetention({
    pool,
    blobs: blobs.right,
    keepMilliseconds: limits.logDays * 86_400_000,
  });
  return {
    store,
    blobs: blobs.right,
    graphs: openGraphs(blobs.right),
    claims,
    leases,
    logs,
    logRetention,
    artifacts,
    groups,
    ...rows,
    close,
  };
};

const partOf = (answer: Either<{ readonly detail: string }, unknown>): PartHealth =>
  isLeft(answer) ? { ok: false, detail: answer.left.detail } : { ok: true };

const healthOf =
  ({ store, blobs, activeRuns }: RunsAdapters, opened: readonly OpenedPart[]) =>
  async (): Promise<Health> => {
    const [head, stored, rows] = await Promise.all([store.head(), blobs.check(), activeRuns.list()]);
    const own = await Promise.all(opened.map((part) => part.health?.() ?? {}));
    const shared = { 'event-store': partOf(head), 'object-storage': partOf(stored), postgres: partOf(rows) };
    return { ready: !isLeft(head) && !isLeft(rows), parts: Object.assign(shared, ...own) };
  };

const start = async (values: Config, context: ServiceContext) => {
  const { POSTGRES_URL: url } = values;
  if (url === undefined) return serve({ config: values, context, routes: [], health: () => withoutPostgres(context) });
  const { log, metrics, trace, signal } = context;
  const { close: closeStores, ...stores } = openStores(url, values, context);
  const { close: closeAdapters, ...openedAdapters } = await openAdapters(values, stores.store, context);
  const warm = createExclusiveAggregates();
  const runs = openRunRegistry({ store: stores.store, warm, log, signal });
  const adapters: RunsAdapters = {
    ...stores,
    ...openedAdapters,
    clock,
    random,
    log,
    metrics,
    trace,
    signal,
    warm,
    runs,
    commandMetrics: createCommandMetrics(metrics),
    publicUrl: values.PUBLIC_URL,
    // 32 bytes, whatever the text.
    jobKey: createHash('sha256').update(values.WORKFLOW_JOB_KEY).digest(),
  };
  const opened = parts.map((part) => part.open(adapters));
  const callerKeys = callerKeysOf(values, context);
  const sockets = opened.flatMap((part) => part.sockets ?? []);
  const close = async (): Promise<void> => {
    await Promise.all([runs.ended, ...opened.flatMap((part) => part.background ?? [])]);
    await Promise.all(opened.map((part) => part.close?.()));
    await Promise.all([closeAdapters(), closeStores()]);
  };
  return serve({
    config: values,
    context,
    callerKeys,
    routes: opened.flatMap(({ routes }) => routes),
    upgrade: webSocketEndpoint({ routes: sockets, callerKeys, log, signal }),
    health: healthOf(adapters, opened),
    close,
  });
};

const workflow = service({ name: 'workflow', config, start });

export { workflow as service };

if (require.main === module) runProcess(workflow);
