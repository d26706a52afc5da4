/** Files on the write side: uploads. */
import { isRight } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { optional, variables } from '../../infra/server/runtime/config';
import { commandContext } from '../kernel/context';
import { fileRoutes } from './routes';

export const context = commandContext({
  config: { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) },
  open: (values, adapters) => {
    const opened = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    return isRight(opened)
      ? { deps: { ...adapters, blobs: opened.right }, close: opened.right.close }
      : { deps: 'none' as const };
  },
  routes: fileRoutes,
});
