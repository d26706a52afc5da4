/** The way to models, as this gateway is told of it; none where no service is named. */
import { createLimiter, memoryStore, openRedisStore, type QuotaCounts } from '../../../packages/ratelimit/src/index';
import { type Models, type ModelsOptions, openModels } from '../models';
import { modelsBodyReader } from '../models-body';
import { modelsFigures } from '../models-figures';
import { modelsPolicy, reservationMilliseconds } from '../models-policy';
import { openModelsUpstream } from '../models-upstream';
import type { Opened } from '../opened';

/** Others count in the same store. */
const namespace = 'models';

/** Of one gateway: so many of the largest bodies at once. */
const bodiesAtOnce = 16;

const limiterFor = ({ config, closing }: Opened, counts: QuotaCounts | undefined) => {
  const { REDIS_URL: url, GATEWAY_COPIES: copies, MODELS_POLICY: policy = modelsPolicy } = config;
  const store = url === undefined ? memoryStore() : openRedisStore({ url });
  const counting = { store, processes: () => copies, ...(counts === undefined ? {} : { counts }) };
  const limiter = createLimiter({ ...counting, policy, namespace, reservationMilliseconds });
  closing.add('limits of models', async () => {
    await limiter.close();
    await store.close();
  });
  return limiter;
};

/** `gpt-4o*=3.8` */
const numbersOf = (items: readonly string[]): { readonly [model: string]: number } =>
  Object.fromEntries(
    items.map((item) => {
      const end = item.lastIndexOf('=');
      return [item.slice(0, end), Number(item.slice(end + 1))];
    }),
  );

interface Around extends Pick<ModelsOptions, 'authentication' | 'browsers' | 'streams' | 'rateLimit'> {
  readonly counts?: QuotaCounts | undefined;
}

export const openWayToModels = (opened: Opened, { counts, ...around }: Around): Models | undefined => {
  const { config, context, closing } = opened;
  const { MODELS_URL: url, MODELS_KEY: key, MODELS_BODY_LIMIT: each } = config;
  if (url === undefined) return undefined;
  const upstream = openModelsUpstream(url, key);
  closing.add('model service', upstream.close);
  const models = openModels({
    ...around,
    upstream,
    limiter: limiterFor(opened, counts),
    readBody: modelsBodyReader({ each, together: each * bodiesAtOnce }),
    bytesPerToken: numbersOf(config.MODELS_BYTES_PER_TOKEN),
    figures: modelsFigures(context.metrics),
    log: context.log,
  });
  closing.add('settlements of tokens', models.close);
  return models;
};
