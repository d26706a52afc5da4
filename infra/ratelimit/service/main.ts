/** The limiter as a process: asked over HTTP by way of the gateway, and over gRPC by an Envoy. It keeps nothing of its own. */

import { isLeft } from 'fp-ts/Either';
import { openRedisStore, type QuotaCounts, type RedisStore } from '../../../packages/ratelimit/src/index';
import type { StoreWarning } from '../../../packages/ratelimit/src/limit-store';
import { type IndexedPolicy, indexedOrThrow } from '../../../packages/ratelimit/src/server';
import { openCallerSigner } from '../../http/caller-signer';
import { serve } from '../../http/serve';
import type { PartHealth } from '../../ports/health';
import { openRedis } from '../../redis/connection';
import { type Running, runProcess, type ServiceContext, service } from '../../service';
import { closers } from '../../shutdown';
import { type EnvoyOptions, openEnvoyDoor } from '../envoy/open';
import { type Config, config } from './config';
import type { RateLimiting } from './deciding';
import { appendTo } from './decision-stream';
import { defaultPolicy } from './default-policy';
import { decisionFigures } from './figures';
import { healthOf, showBreaker } from './health';
import { type Limiters, openLimiters } from './limiters';
import { noStore } from './no-store';
import { openOnce } from './once';
import { readPolicy } from './policies';
import { watchPolicyFile } from './policy-file';
import { rateLimitRoutes } from './routes';
import { openTelemetry } from './telemetry';
import { openUsage } from './usage';

interface Opened {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: ReturnType<typeof closers>;
}

const firstPolicy = async ({
  config: { RATELIMIT_POLICY: text },
  context: { log },
}: Opened): Promise<IndexedPolicy> => {
  const policy = text === undefined ? undefined : await readPolicy(Buffer.from(text));
  if (policy === undefined) return indexedOrThrow(defaultPolicy);
  if (!isLeft(policy)) return policy.right;
  log.error({ faults: policy.left }, 'the rate limit policy is not usable');
  throw new Error(`The rate limit policy is not usable: ${policy.left.join(' ')}`);
};

const openStore = ({ config: values, context: { log } }: Opened): RedisStore | undefined => {
  const { REDIS_URL: url, RATELIMIT_CLUSTER: cluster = [], RATELIMIT_STORE_MILLISECONDS: answerMilliseconds } = values;
  const onWarning = (warning: StoreWarning): void => log.warn({ warning }, 'the store of limits is not fit for them');
  if (cluster.length > 0) return openRedisStore({ cluster, answerMilliseconds, onWarning });
  return url === undefined ? undefined : openRedisStore({ url, answerMilliseconds, onWarning });
};

/** What is given in a variable stays; what is in a file may change. */
const watchPolicy = ({ config: values, context, closing }: Opened, limiters: Limiters): (() => PartHealth) => {
  const path = context.env.RATELIMIT_POLICY_FILE;
  const inForce = (): PartHealth => ({ ok: true, detail: `Version ${limiters.version()} is in force.` });
  if (path === undefined || path === '') return inForce;
  const options = { path, read: readPolicy, use: limiters.use, log: context.log };
  const file = watchPolicyFile(options, values.RATELIMIT_POLICY ?? '');
  closing.add('policy file', file.close);
  return () => (file.health().ok ? inForce() : file.health());
};

/** Decisions are counted, and told to others where there is a place for it. */
const openDecided = ({ config: { REDIS_URL: url }, context, closing }: Opened): RateLimiting['decided'] => {
  const { metrics, log } = context;
  const figures = decisionFigures(metrics);
  if (url === undefined) return figures;
  const redis = openRedis(url);
  closing.add('stream of decisions', async () => redis.disconnect());
  const telemetry = openTelemetry({ append: appendTo(redis), metrics, log });
  closing.add('telemetry', telemetry.close);
  return (decision, about) => {
    figures(decision, about);
    telemetry.decided(decision, about);
  };
};

/** Left out, no Envoy is answered. */
const openEnvoys = async (
  { config: values, context, closing }: Opened,
  shared: Pick<EnvoyOptions, 'limiters' | 'decided'>,
): Promise<void> => {
  const { RATELIMIT_GRPC_PORT: port, RATELIMIT_GRPC_CERTIFICATE: certificate, RATELIMIT_GRPC_KEY: key } = values;
  if (port === undefined) return;
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('RATELIMIT_GRPC_CERTIFICATE and RATELIMIT_GRPC_KEY are given together, or not at all.');
  const authorities = values.RATELIMIT_GRPC_CLIENT_AUTHORITIES;
  const door = await openEnvoyDoor({
    ...shared,
    host: values.RATELIMIT_GRPC_HOST,
    port,
    secured: certificate === undefined || key === undefined ? undefined : { certificate, key, authorities },
    keys: values.RATELIMIT_GRPC_KEYS,
    domains: values.RATELIMIT_GRPC_DOMAINS,
    honoursOverrides: values.RATELIMIT_GRPC_OVERRIDES === 'honoured',
    metrics: context.metrics,
    log: context.log,
  });
  context.log.info({ port: door.port }, 'answers Envoys');
  closing.add('door for Envoys', door.close);
};

/** What was told last is told before the process ends. */
const openCounts = ({ config: values, context, closing }: Opened): QuotaCounts | undefined => {
  const { COMMANDS_URL: commandsUrl, READ_API_URL: readApiUrl, INTERNAL_SIGNING_KEY: signingKey } = values;
  if (commandsUrl === undefined || readApiUrl === undefined) return undefined;
  if (signingKey === undefined)
    throw new Error('COMMANDS_URL and READ_API_URL are asked with INTERNAL_SIGNING_KEY: give it, too.');
  const { metrics, log, env } = context;
  const signer = openCallerSigner({ text: signingKey, path: env.INTERNAL_SIGNING_KEY_FILE, log });
  const counts = openUsage({ commandsUrl, readApiUrl, signer, metrics, log });
  closing.add('counts of quotas', counts.close);
  return counts;
};

const start = async (values: Config, context: ServiceContext): Promise<Running> => {
  const closing = closers(context.log);
  const opened = { config: values, context, closing };
  const policy = await firstPolicy(opened);
  const store = openStore(opened);
  const counts = openCounts(opened);
  const processes = values.RATELIMIT_PROCESSES;
  const limiters = openLimiters({ store: store ?? noStore, processes, policy, counts });
  closing.add('limiters', limiters.close);
  if (store !== undefined) closing.add('figures of the store', showBreaker(store.figures, context.metrics));
  const decided = openDecided(opened);
  await openEnvoys(opened, { limiters, decided });
  const health = healthOf({
    figures: store?.figures,
    off: context.env.OFF_REDIS,
    policy: watchPolicy(opened, limiters),
  });
  const { asked: limiter, hasPlan } = limiters;
  const routes = rateLimitRoutes({ limiter, hasPlan, decided, once: openOnce({ answers: store?.answers }) });
  return serve({ config: values, context, routes, health, close: closing.close });
};

const rateLimit = service({ name: 'ratelimit', config, start });

export { rateLimit as service };

if (require.main === module) runProcess(rateLimit);
