/** A worker: performs the jobs of work queues, apart from policies and timers. Any number of copies may run, each for all queues or some. */
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import { blobVariables } from '../infra/adapters/blobs/open-blob-store';
import { embedderVariables } from '../infra/adapters/embeddings/open-embedder';
import { openRedisGatewayPositions } from '../infra/adapters/redis/identity/gateway-positions';
import { transcriberVariables } from '../infra/adapters/transcriber/open-transcriber';
import type { Health } from '../infra/ports/runtime/health';
import type { Random } from '../infra/ports/runtime/random';
import { callerVariables, serve } from '../infra/server/http/routing/serve';
import { readArguments } from '../infra/server/runtime/command-line';
import { type ConfigOf, listOf, optional, variables } from '../infra/server/runtime/config';
import { runProcess as runService, type ServiceContext, service as serviceOf } from '../infra/server/runtime/service';
import { openPurgeEdges, purgeVariables } from '../infra/server/video/purge-edges';
import { tool } from '../packages/command-line/src/index';
import {
  clock,
  openProcessStores,
  prepareDatabase,
  processStoreVariables,
  withoutPostgres,
} from './composition/process-stores';
import { backgrounds, queues } from './composition/processes';
import { indexVariables, issuerVariables, openQueues, sandboxVariables } from './composition/worker-adapters';
import { createCommandMetrics } from './kernel/command-metrics';
import { createExclusiveAggregates } from './kernel/exclusive-aggregates';
import type { QueueSpec } from './kernel/work-queue/job-handler';
import { runWorkers } from './kernel/work-queue/run-workers';

const isQueue = (name: string): boolean => queues.some(({ queue }) => queue === name);

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...processStoreVariables,
  /** Left out, views of videos are not counted, and gateways confirm no revocations. */
  REDIS_URL: optional(variables.REDIS_URL),
  ...callerVariables,
  ...blobVariables,
  ...sandboxVariables,
  ...issuerVariables,
  ...embedderVariables,
  ...indexVariables,
  ...transcriberVariables,
  ...purgeVariables,
  /** Begins the URLs of blobs in a directory. */
  PUBLIC_URL: optional(variables.PUBLIC_URL),
  /** Queues of this copy; left out, all. */
  WORKER_QUEUES: optional(listOf('names of queues with commas between', isQueue)),
};
type Config = ConfigOf<typeof config>;

const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const chosenQueues = (names: readonly string[] | undefined): readonly QueueSpec[] =>
  names === undefined ? queues : queues.filter(({ queue }) => names.includes(queue));

const start = async (values: Config, context: ServiceContext) => {
  const { POSTGRES_URL: url } = values;
  if (url === undefined) return serve({ config: values, context, routes: [], health: () => withoutPostgres(context) });
  await prepareDatabase(url, values, context);
  const { log, metrics, trace, signal } = context;
  const { store, vault, pool, work, close: closeStores } = openProcessStores(url, values, context);
  const warm = createExclusiveAggregates();
  const background = backgrounds.map((run) =>
    run({ store, pool, redisUrl: values.REDIS_URL, vault, warm, log, metrics, signal }),
  );
  const chosen = chosenQueues(values.WORKER_QUEUES);
  const commandMetrics = createCommandMetrics(metrics);
  const shared = { store, clock, log, metrics, commandMetrics };
  const gateways = values.REDIS_URL === undefined ? undefined : openRedisGatewayPositions(values.REDIS_URL);
  const opened = await openQueues(
    chosen,
    { ...values, POSTGRES_URL: url },
    {
      ...shared,
      ...{ vault, random, signal, gateways, cache: warm },
      purgeEdges: openPurgeEdges(values, context),
    },
  );
  const running = runWorkers(opened.handlers, { ...shared, work, warm, trace });
  const health = (): Promise<Health> => {
    const { ready, parts } = running.health();
    return Promise.resolve({ ready, parts: { ...parts, ...opened.off } });
  };
  const close = async (): Promise<void> => {
    await Promise.all([running.close(), ...background]);
    await Promise.all([opened.close(), gateways?.close()]);
    await closeStores();
  };
  return serve({ config: values, context, routes: [], health, close });
};

export const service = serviceOf({ name: 'workers', config, start });

export const program = tool({
  name: 'node dist/commands/workers.main.js',
  about: 'Performs the jobs of work queues. Any number of copies may run.',
  options: {
    queues: {
      type: 'string',
      value: 'A,B',
      about: `only these queues (default: WORKER_QUEUES, or else all): ${queues.map(({ queue }) => queue).join(', ') || 'none yet'}`,
    },
  },
});

/** So that services on the same machine that answer requests go first. */
const lowerPriority = (): void => {
  const { PRIORITY_BELOW_NORMAL: lower } = constants.priority;
  if (getPriority() < lower) setPriority(lower);
};

const main = (): void => {
  const names = readArguments(program).options.queues ?? process.env.WORKER_QUEUES;
  const chosen = chosenQueues(names?.split(',').map((name) => name.trim()));
  if (chosen.some(({ isHeavy }) => isHeavy === true)) lowerPriority();
  runService(service, names === undefined ? process.env : { ...process.env, WORKER_QUEUES: names });
};

if (require.main === module) main();
