/** A directory of blobs in temporary files, with its routes on loopback. */
import { join } from 'node:path';
import express from 'express';
import { type BlobRoutesOptions, localBlobRoutes } from '../../../../infra/adapters/blobs/local/http/routes';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { listen } from '../../../../infra/server/http/server/listener';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { capturedLog } from '../../../support/http/http-service';
import { expectSuccess } from '../suite/store-calls';

export const secret = 's'.repeat(43);

export interface LocalStage {
  readonly blobs: BlobStore;
  readonly directory: string;
  readonly url: string;
  readonly port: number;
  readonly log: ReturnType<typeof capturedLog>;
  readonly stop: () => Promise<void>;
}

export const startLocal = async (more: Partial<BlobRoutesOptions> = {}): Promise<LocalStage> => {
  const home = temporaryDirectory('blobs');
  const directory = join(home.path, 'blobs');
  const app = express();
  const listener = await listen(app, { host: '127.0.0.1', port: 0, requestMilliseconds: 0, graceMilliseconds: 500 });
  const url = `http://127.0.0.1:${listener.port}/blobs`;
  const blobs = expectSuccess(openLocalBlobs({ directory, secret, url }));
  const log = capturedLog();
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
