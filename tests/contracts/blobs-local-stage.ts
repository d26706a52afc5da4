/** A directory of blobs in temporary files, with its routes on loopback. */
import { join } from 'node:path';
import express from 'express';
import { openLocalBlobs } from '../../infra/blobs/local';
import { type BlobRoutesOptions, localBlobRoutes } from '../../infra/blobs/local-routes';
import { listen } from '../../infra/http/listener';
import type { Blobs } from '../../infra/ports/blobs';
import { temporaryDirectory } from '../support/event-store-node';
import { keptLog } from '../support/http-service';
import { done } from './blobs-support';

export const secret = 's'.repeat(43);

export interface LocalStage {
  readonly blobs: Blobs;
  readonly directory: string;
  readonly url: string;
  readonly port: number;
  readonly log: ReturnType<typeof keptLog>;
  readonly stop: () => Promise<void>;
}

export const startLocal = async (more: Partial<BlobRoutesOptions> = {}): Promise<LocalStage> => {
  const home = temporaryDirectory('blobs');
  const directory = join(home.path, 'blobs');
  const app = express();
  const listener = await listen(app, { host: '127.0.0.1', port: 0, requestMilliseconds: 0, graceMilliseconds: 500 });
  const url = `http://127.0.0.1:${listener.port}/blobs`;
  const blobs = done(openLocalBlobs({ directory, secret, url }));
  const log = keptLog();
  app.use('/blobs', localBlobRoutes({ blobs, secret, log, ...more }));
  return {
    blobs,
    directory,
    url,
    port: listener.port,
    log,
    stop: async () => {
      await listener.close();
      await blobs.close();
      home.remove();
    },
  };
};
