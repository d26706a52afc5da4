/** Opens the model proxy from configuration; undefined without a model service. */
import { createLimiter, memoryStore, openRedisStore, type QuotaCounts } from '../../../packages/ratelimit/src/index';
import { redisAt } from '../../server/runtime/redis-address';
import type { GatewayContext } from '../config';
import { defaultModelPolicy, reservationMilliseconds } from '../models/default-policy';
import { createModelProxy, type ModelProxy, type ModelProxyOptions } from '../models/handler';
import { createModelMetrics } from '../models/metrics';
import { createModelBodyReader } from '../models/request-body';
import { openModelUpstream } from '../models/upstream';

/** Namespace of the counters in the shared store. */
const namespace = 'models';

/** Memory budget of a gateway, in bodies of the largest size. */
const maxConcurrentBodies = 16;

const limiterFor = ({ config, closing }: GatewayContext, counts: QuotaCounts | undefined) => {
  const { REDIS_URL: url, GATEWAY_COPIES: copies, MODELS_POLICY: policy = defaultModelPolicy } = config;
  const store = url === undefined ? memoryStore() : openRedisStore(redisAt(url));
  const counting = { store, processes: () => copies, ...(counts === undefined ? {} : { counts }) };
  const limiter = createLimiter({ ...counting, policy, namespace, reservationMilliseconds });
  closing.add('limits of models', async () => {
    await limiter.close();
    await store.close();
  });
  return limiter;
};

/** `gpt-4o*=3.8` */
const parseBytesPerToken = (items: readonly string[]): { readonly [model: string]: number } =>
  Object.fromEntries(
    items.map((item) => {
      const end = item.lastIndexOf('=');
      return [item.slice(0, end), Number(item.slice(end + 1))];
    }),
  );

interface ModelProxySources
  extends Pick<
    ModelProxyOptions,
    'authentication' | 'authEvents' | 'checkPolicy' | 'browsers' | 'streams' | 'rateLimit'
  > {
  readonly counts?: QuotaCounts | undefined;
}

export const openModelProxy = (
  opened: GatewayContext,
  { counts, ...around }: ModelProxySources,
): ModelProxy | undefined => {
  const { config, context, closing } = opened;
  const { MODELS_URL: url, MODELS_KEY: key, MODELS_BODY_LIMIT: each } = config;
  if (url === undefined) return undefined;
  const upstream = openModelUpstream(url, key);
  closing.add('model service', upstream.close);
  const models = createModelProxy({
    ...around,
    upstream,
    limiter: limiterFor(opened, counts),
    readBody: createModelBodyReader({ each, together: each * maxConcurrentBodies }),
    bytesPerToken: parseBytesPerToken(config.MODELS_BYTES_PER_TOKEN),
    metrics: createModelMetrics(context.metrics),
    log: context.log,
  });
  closing.add('settlements of tokens', models.close);
  return models;
};
