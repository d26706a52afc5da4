/** The edge: does on one host what a delivery network does, in front of object storage. */
import { resolve } from 'node:path';
import express from 'express';
import { isLeft } from 'fp-ts/Either';
import { describeProcess, lockDirectory } from '../../packages/data-directory/src/index';
import { blobVariables, openBlobs } from '../adapters/blobs/open-blob-store';
import type { BlobStore } from '../ports/blob-store';
import type { Health, PartHealth } from '../ports/runtime/health';
import type { CallerKeys } from '../server/http/identity/caller-keys';
import { openApi } from '../server/http/openapi';
import { problem } from '../server/http/problem';
import { sendAnswer, sendProblem } from '../server/http/routing/send-answer';
import { callerKeysOf, callerVariables } from '../server/http/routing/serve';
import { listen } from '../server/http/server/listener';
import { observeRequests, operational, withoutReturn } from '../server/http/server/operational-endpoints';
import { traceRequests } from '../server/http/server/request-tracing';
import { anyText, type ConfigOf, variables, wholeNumber, withDefault } from '../server/runtime/config';
import { type Running, runProcess, type ServiceContext, service } from '../server/runtime/service';
import { withinMilliseconds } from '../server/runtime/within-milliseconds';
import { deliveryKeyVariables, openDeliveryKeys } from '../server/video/delivery-keys';
import { purgePath } from '../server/video/purge-call';
import { openCacheFiles } from './cache/cache-files';
import { type ObjectCache, openObjectCache } from './cache/object-cache';
import { openOrigin } from './cache/origin';
import { type DeliveryOptions, deliver } from './delivery/deliver';
import { createEdgeMetrics } from './metrics';
import { purgeRoute } from './purge-route';

const gibibyte = 1024 ** 3;

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  ...blobVariables,
  ...deliveryKeyVariables,
  /** Of this process alone. */
  EDGE_CACHE_DIR: withDefault(anyText, '.data/edge'),
  EDGE_CACHE_BYTES: withDefault(wholeNumber(0, 2 ** 49), 10 * gibibyte),
  /** Longest wait for object storage. */
  EDGE_ORIGIN_MILLISECONDS: withDefault(wholeNumber(100, 600_000), 10_000),
};
type Config = ConfigOf<typeof config>;

const longestCheckMilliseconds = 1_000;

const partOf = async (blobs: BlobStore): Promise<PartHealth> => {
  const found = await blobs.check();
  return isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };
};

/** Ready without object storage: what is cached is served. */
const healthOf = (blobs: BlobStore, cache: ObjectCache, maxBytes: number) => async (): Promise<Health> => {
  const origin = await withinMilliseconds(partOf(blobs), longestCheckMilliseconds);
  const { objects, bytes, fills } = cache.usage();
  return {
    ready: true,
    parts: {
      origin: origin ?? { ok: false, detail: 'It does not answer. What is cached is served.' },
      cache: { ok: true, detail: `${objects} objects, ${bytes} of ${maxBytes} bytes; ${fills} fills under way.` },
    },
  };
};

interface AppOptions extends DeliveryOptions {
  readonly context: ServiceContext;
  readonly callerKeys: CallerKeys;
  readonly health: () => Promise<Health>;
}

const appOf = (options: AppOptions) => {
  const { context, health } = options;
  const { name, metrics, trace, signal } = context;
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  app.enable('case sensitive routing').enable('strict routing');
  app.use(withoutReturn(context), observeRequests(metrics), operational({ ...context, health }));
  if (trace !== undefined) app.use(traceRequests(trace));
  app.use(deliver(options));
  app.post(purgePath, purgeRoute(options));
  // Gateways fetch the routes of every service; those of this one are no operations of the API.
  app.get('/openapi.json', (_request, response) =>
    sendAnswer(response, { status: 200, body: openApi(name, []) }, { signal }),
  );
  return app.use((_request, response) =>
    sendProblem(response, problem('not-found', 'No resource exists at this path.')),
  );
};

const start = async (values: Config, context: ServiceContext): Promise<Running> => {
  const { log, env } = context;
  const { VIDEO_DELIVERY_KEYS: text, EDGE_CACHE_BYTES: maxBytes, EDGE_ORIGIN_MILLISECONDS: milliseconds } = values;
  if (text === undefined) throw new Error('VIDEO_DELIVERY_KEYS is not set.');
  const opened = openBlobs(values, '');
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const blobs = opened.right;
  const directory = resolve(values.EDGE_CACHE_DIR);
  const lock = lockDirectory(directory, 'edge');
  if (isLeft(lock)) throw new Error(`${directory} is in use by ${describeProcess(lock.left)}.`);
  const files = openCacheFiles(directory);
  const metrics = createEdgeMetrics(context.metrics);
  const origin = openOrigin({ blobs, milliseconds, refused: metrics.originRefused });
  const cache = await openObjectCache({ origin, files, maxBytes, metrics });
  const health = healthOf(blobs, cache, maxBytes);
  const keys = openDeliveryKeys({ text, path: env.VIDEO_DELIVERY_KEYS_FILE, log });
  const app = appOf({ keys, cache, metrics, log, context, callerKeys: callerKeysOf(values, context), health });
  const listener = await listen(app, { host: values.HOST, port: values.PORT });
  return {
    port: listener.port,
    ready: health,
    close: async () => {
      await listener.close();
      await cache.close();
      await blobs.close();
      lock.right.release();
    },
  };
};

const edge = service({ name: 'edge', config, start });

export { edge as service };

if (require.main === module) runProcess(edge);
