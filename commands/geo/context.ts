/** Places on the write side: feeds, and imports of files. */
import { isRight } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { optional, variables } from '../../infra/server/runtime/config';
import { commandContext } from '../kernel/context';
import { geoRoutes } from './routes';

export const context = commandContext({
  config: { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) },
  open: (values, adapters) => {
    const opened = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    // Everything but imports of files does without.
    if (isRight(opened)) return { deps: { ...adapters, blobs: opened.right }, close: opened.right.close };
    const off = async () => opened;
    const blobs = {
      head: off,
      signPut: off,
      signPart: off,
      uploads: off,
      beginUpload: off,
      abortUpload: off,
      parts: off,
      completeUpload: off,
    };
    return { deps: { ...adapters, blobs } };
  },
  routes: geoRoutes,
});
