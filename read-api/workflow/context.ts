/** Workflows on the query side. */
import { isLeft, left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { type ConfigOf, optional, variables } from '../../infra/server/runtime/config';
import { openLogPages } from '../../infra/server/workflow/log-pages';
import { openRunReader } from '../../infra/server/workflow/run-reader';
import { openWorkflowReader, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { workflowRoutes } from './routes';

/** Left out, artifacts and the logs that were moved out of rows are unavailable. */
const config = { ...storeVariables, ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) };

const openReadableBlobs = (values: ConfigOf<typeof config>) => {
  const blobs = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
  if (!isLeft(blobs)) return blobs.right;
  const off = async () => left(fault('blob-store-unavailable', blobs.left.detail));
  return { get: off, signGet: off, close: async () => undefined };
};

export const context = queryContext({
  config,
  open: (values, { reading, store, clock }) => {
    const { close: closeBlobs, ...blobs } = openReadableBlobs(values);
    const { close: closeReader, ...reader } = openWorkflowReader(values, blobs);
    const deps = {
      ...reading,
      ...reader,
      store,
      blobs,
      clock,
      pages: openLogPages(reader.logs),
      readRun: openRunReader(store),
    };
    return { deps, close: () => Promise.all([closeReader(), closeBlobs()]) };
  },
  routes: workflowRoutes,
});
