/** Entry point of the limiter service: HTTP behind the gateway, and gRPC for Envoy. It keeps no state of its own. */

import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import {
  type Decision,
  openRedisStore,
  type QuotaCounts,
  type RedisStore,
} from '../../../packages/ratelimit/src/index';
import type { StoreWarning } from '../../../packages/ratelimit/src/limit-store';
import { type IndexedPolicy, indexPolicyOrThrow } from '../../../packages/ratelimit/src/server';
import { openRedis, openRedisAt } from '../../adapters/redis/connection';
import { createRedisHealth } from '../../adapters/redis/health';
import { createRefusalRecorder } from '../../adapters/redis/ratelimit/refusal-recorder';
import { createReportReader } from '../../adapters/redis/ratelimit/report-reader';
import type { RateLimitReports, Refusal } from '../../ports/rate-limit-reports';
import type { PartHealth } from '../../ports/runtime/health';
import { openCallerSigner } from '../../server/http/identity/caller-signer';
import { serve } from '../../server/http/routing/serve';
import { operatorsOf } from '../../server/runtime/config';
import { redisAt } from '../../server/runtime/redis-address';
import { type Running, runProcess, type ServiceContext, service } from '../../server/runtime/service';
import { createShutdownSteps } from '../../server/runtime/shutdown';
import { offDetail, offReason } from '../../server/runtime/store-off';
import { type EnvoyEndpointOptions, openEnvoyEndpoint } from '../envoy/rate-limit-service';
import { policyPlaceOf, reportPolicy } from '../policy-report';
import { type Config, config } from './config';
import type { DecidedRequest, DecisionDeps } from './decision-service';
import { createAppend } from './decision-stream';
import { startDecisionTelemetry } from './decision-telemetry';
import { defaultPolicy } from './default-policy';
import { createHealth, startBreakerGauge } from './health';
import { createIdempotentCheck } from './http/idempotent-checks';
import { rateLimitRoutes } from './http/routes';
import { type LimiterSet, openLimiterSet } from './limiter-set';
import { createDecisionMetrics } from './metrics';
import { watchPolicyFile } from './policy-file-watcher';
import { perTenant, readPolicy } from './policy-variants';
import { openQuotaUsageClient } from './quota-usage-client';
import { unavailableStore } from './unavailable-store';

interface StartContext {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: ReturnType<typeof createShutdownSteps>;
}

const readInitialPolicy = async ({
  config: { RATELIMIT_POLICY: text },
  context: { log },
}: StartContext): Promise<IndexedPolicy> => {
  const policy = text === undefined ? undefined : await readPolicy(Buffer.from(text));
  if (policy === undefined) return indexPolicyOrThrow(defaultPolicy);
  if (!isLeft(policy)) return policy.right;
  log.error({ faults: policy.left }, 'the rate limit policy is not usable');
  throw new Error(`The rate limit policy is not usable: ${policy.left.join(' ')}`);
};

const openStore = ({ config: values, context: { log } }: StartContext): RedisStore | undefined => {
  const { REDIS_URL: url, RATELIMIT_CLUSTER: cluster = [], RATELIMIT_STORE_MILLISECONDS: answerMilliseconds } = values;
  const onWarning = (warning: StoreWarning): void => log.warn({ warning }, 'the store of limits is misconfigured');
  if (cluster.length > 0) return openRedisStore({ cluster, answerMilliseconds, onWarning });
  return url === undefined ? undefined : openRedisStore({ ...redisAt(url), answerMilliseconds, onWarning });
};

const openProbe = ({ config: values, closing }: StartContext): ReturnType<typeof createRedisHealth> | undefined => {
  const { REDIS_URL: url, RATELIMIT_CLUSTER: cluster = [] } = values;
  if (url === undefined && cluster.length === 0) return undefined;
  const redis = openRedisAt(url === undefined || cluster.length > 0 ? { cluster } : redisAt(url));
  closing.add('health of the store', async () => redis.disconnect());
  return createRedisHealth(redis);
};

/** A policy in a variable is fixed; one in a file is reloaded. */
const watchPolicy = ({ config: values, context, closing }: StartContext, limiters: LimiterSet): (() => PartHealth) => {
  const path = context.env.RATELIMIT_POLICY_FILE;
  const inForce = (): PartHealth => ({ ok: true, detail: `Version ${limiters.version()} is in force.` });
  if (path === undefined || path === '') return inForce;
  const options = { path, read: readPolicy, use: limiters.use, log: context.log };
  const file = watchPolicyFile(options, values.RATELIMIT_POLICY ?? '');
  closing.add('policy file', file.close);
  return () => (file.health().ok ? inForce() : file.health());
};

/** Of the caller's own users and keys nothing is written. */
const refusalOf = (
  { reason = 'limited', limits, retryAfterSeconds }: Decision,
  { request: { dimensions, requestId } }: DecidedRequest,
): Refusal => ({
  enforcedBy: 'service',
  tenantId: dimensions.tenant ?? null,
  principalId: null,
  clientId: null,
  group: dimensions.route ?? null,
  reason,
  rules: limits.filter(({ over, watched }) => over && !watched).map(({ rule }) => rule),
  retryAfterSeconds,
  requestId: requestId ?? null,
});

const openReports = ({ config: { REDIS_URL: url }, context, closing }: StartContext): RateLimitReports => {
  const off = async () => left(fault('service-unavailable', offDetail('REDIS', context.env.OFF_REDIS)));
  if (url === undefined) return { refusals: off, gatewayPolicy: off };
  const redis = openRedis(url);
  closing.add('reports', async () => redis.disconnect());
  return createReportReader(redis);
};

/** Counts decisions in metrics, and sends them to the Redis stream if there is one. */
const openDecisionReports = ({
  config: { REDIS_URL: url },
  context,
  closing,
}: StartContext): DecisionDeps['onDecision'] => {
  const { metrics, log } = context;
  const countDecision = createDecisionMetrics(metrics);
  if (url === undefined) return countDecision;
  const redis = openRedis(url);
  const telemetry = startDecisionTelemetry({ append: createAppend(redis), metrics, log });
  const refusals = createRefusalRecorder(redis);
  closing.add('telemetry', async () => {
    await Promise.all([telemetry.close(), refusals.close()]);
    redis.disconnect();
  });
  return (decision, about) => {
    countDecision(decision, about);
    telemetry.onDecision(decision, about);
    if (decision.outcome === 'deny') refusals.record(refusalOf(decision, about));
  };
};

/** Off without RATELIMIT_GRPC_PORT. */
const openEnvoyEndpointIfConfigured = async (
  { config: values, context, closing }: StartContext,
  shared: Pick<EnvoyEndpointOptions, 'limiters' | 'onDecision'>,
): Promise<void> => {
  const { RATELIMIT_GRPC_PORT: port, RATELIMIT_GRPC_CERTIFICATE: certificate, RATELIMIT_GRPC_KEY: key } = values;
  if (port === undefined) return;
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('Set both RATELIMIT_GRPC_CERTIFICATE and RATELIMIT_GRPC_KEY, or neither.');
  const authorities = values.RATELIMIT_GRPC_CLIENT_AUTHORITIES;
  const endpoint = await openEnvoyEndpoint({
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
  context.log.info({ port: endpoint.port }, 'listens for Envoy');
  closing.add('gRPC endpoint for Envoy', endpoint.close);
};

/** Closing sends the remaining usage before the process ends. */
const openQuotaCountsIfConfigured = ({ config: values, context, closing }: StartContext): QuotaCounts | undefined => {
  const { COMMANDS_URL: commandsUrl, READ_API_URL: readApiUrl, INTERNAL_SIGNING_KEY: signingKey } = values;
  if (commandsUrl === undefined || readApiUrl === undefined) return undefined;
  if (signingKey === undefined) throw new Error('COMMANDS_URL and READ_API_URL need INTERNAL_SIGNING_KEY.');
  const { metrics, log, env } = context;
  const signer = openCallerSigner({ text: signingKey, path: env.INTERNAL_SIGNING_KEY_FILE, log });
  const counts = openQuotaUsageClient({ commandsUrl, readApiUrl, signer, metrics, log });
  closing.add('counts of quotas', counts.close);
  return counts;
};

const start = async (values: Config, context: ServiceContext): Promise<Running> => {
  const closing = createShutdownSteps(context.log);
  const startContext = { config: values, context, closing };
  const policy = await readInitialPolicy(startContext);
  const store = openStore(startContext);
  const counts = openQuotaCountsIfConfigured(startContext);
  const processes = values.RATELIMIT_PROCESSES;
  const limiters = openLimiterSet({ store: store ?? unavailableStore, processes, policy, counts });
  closing.add('limiters', limiters.close);
  if (store !== undefined)
    closing.add('metrics of the store', startBreakerGauge(store.breakerMetrics, context.metrics));
  const onDecision = openDecisionReports(startContext);
  await openEnvoyEndpointIfConfigured(startContext, { limiters, onDecision });
  const health = createHealth({
    probe: openProbe(startContext),
    breakerMetrics: store?.breakerMetrics,
    off: context.env.OFF_REDIS === undefined ? undefined : offReason('REDIS', context.env),
    policy: watchPolicy(startContext, limiters),
  });
  const { http: limiter, hasPlan } = limiters;
  const routes = rateLimitRoutes({
    limiter,
    hasPlan,
    onDecision,
    idempotent: createIdempotentCheck({ answers: store?.answers }),
    reports: openReports(startContext),
    policy: () => reportPolicy('service', perTenant(limiters.policy()), policyPlaceOf('RATELIMIT_POLICY', context.env)),
    operators: operatorsOf(values),
  });
  return serve({ config: values, context, routes, health, close: closing.close });
};

const rateLimit = service({ name: 'ratelimit', config, start });

export { rateLimit as service };

if (require.main === module) runProcess(rateLimit);
