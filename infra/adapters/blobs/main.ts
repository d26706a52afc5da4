/** Serves signed URLs of a local blob store, and runs the hourly cleanup of any store. */
import type { RequestListener } from 'node:http';
import express from 'express';
import { isLeft } from 'fp-ts/Either';
import type { BlobStore } from '../../ports/blob-store';
import type { Health, PartHealth } from '../../ports/runtime/health';
import { problem } from '../../server/http/problem';
import { sendProblem } from '../../server/http/routing/send-answer';
import { listen } from '../../server/http/server/listener';
import { observeRequests, operational } from '../../server/http/server/operational-endpoints';
import { traceRequests } from '../../server/http/server/request-tracing';
import { type ConfigOf, variables } from '../../server/runtime/config';
import { runProcess, type ServiceContext, service as serviceOf } from '../../server/runtime/service';
import { withinMilliseconds } from '../../server/runtime/within-milliseconds';
import { localBlobRoutes } from './local/http/routes';
import { blobVariables, openBlobs } from './open-blob-store';
import { runScheduledCleanup } from './scheduled-cleanup';

const config = { HOST: variables.HOST, PORT: variables.PORT, PUBLIC_URL: variables.PUBLIC_URL, ...blobVariables };
type Config = ConfigOf<typeof config>;

interface Opened {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly blobs: BlobStore;
}

const longestCheckMilliseconds = 1_000;

const partOf = async (blobs: BlobStore): Promise<PartHealth> => {
  const found = await blobs.check();
  return isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };
};

/** It waits for a store that is away: what it does by itself, it does again. */
const healthOf = (blobs: BlobStore) => async (): Promise<Health> => {
  const found = await withinMilliseconds(partOf(blobs), longestCheckMilliseconds);
  return { ready: true, parts: { blobs: found ?? { ok: false, detail: 'It does not answer.' } } };
};

/** A bucket has an address of its own, so nothing of it is served here. */
const appOf = ({ config: { S3_BUCKET, BLOBS_KEY: secret }, context, blobs }: Opened): RequestListener => {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  app.enable('case sensitive routing').use(observeRequests(context.metrics));
  app.use(operational({ ...context, health: healthOf(blobs) }));
  if (context.trace !== undefined) app.use(traceRequests(context.trace));
  if (S3_BUCKET === undefined && secret !== undefined)
    app.use(
      '/blobs',
      (_request, response, next) => {
        response.locals.route = '/blobs';
        next();
      },
      localBlobRoutes({ blobs, secret, log: context.log }),
    );
  app.use((_request, response) => sendProblem(response, problem('not-found', 'No resource exists at this path.')));
  return app;
};

const start = async (values: Config, context: ServiceContext) => {
  const opened = openBlobs(values, `${values.PUBLIC_URL}/blobs`);
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const blobs = opened.right;
  // How long an upload may take is bounded by its size, in the routes.
  const place = { host: values.HOST, port: values.PORT, requestMilliseconds: 0 };
  const listener = await listen(appOf({ config: values, context, blobs }), place);
  const sweeping = runScheduledCleanup({ blobs, log: context.log, signal: context.signal });
  return {
    port: listener.port,
    ready: healthOf(blobs),
    close: async () => {
      await Promise.all([listener.close(), sweeping]);
      await blobs.close();
    },
  };
};

export const service = serviceOf({ name: 'blobs', config, start });

if (require.main === module) runProcess(service);
