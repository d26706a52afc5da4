/** Workflows on the query side. */
import { openLogPages } from '../../infra/server/workflow/log-pages';
import { openRunReader } from '../../infra/server/workflow/run-reader';
import { openReadableBlobs, readableBlobVariables } from '../composition/readable-blobs';
import { openWorkflowReader, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { workflowRoutes } from './routes';

/** Left out, artifacts and the logs that were moved out of rows are unavailable. */
const config = { ...storeVariables, ...readableBlobVariables };

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
