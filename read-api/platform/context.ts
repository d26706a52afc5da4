/** The platform on the query side: the log without its secrets, how events become state, and the ledgers of views and processes. */

import { openStreamPages } from '../../infra/adapters/eventstore/read/stream-pages';
import { maskedPages } from '../../infra/adapters/vault/event-encryption';
import { optional, variables } from '../../infra/server/runtime/config';
import { openMetricHistory, openProcessStatus, openViewStatus, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { aggregateStates } from './composition/aggregate-states';
import { platformStreams } from './event-log/live-log';
import { platformRoutes } from './routes';

export const context = queryContext({
  config: { ...storeVariables, REDIS_URL: optional(variables.REDIS_URL) },
  open: (values, { reading, streaming, readAll, clock, operators, signal }) => {
    const pages = maskedPages({ ...openStreamPages({ url: values.EVENTSTORE_URL, signal }), readAll });
    const explorer = { reading, pages, states: aggregateStates, operators };
    const ledger = openViewStatus(values);
    const processes = openProcessStatus(values);
    const history = openMetricHistory(values.REDIS_URL);
    return {
      deps: { explorer, operations: { processes, clock, operators }, ledger, streaming, history },
      streams: platformStreams(explorer),
      close: () => Promise.all([pages.close(), ledger.close(), processes.close(), history.close()]),
    };
  },
  routes: platformRoutes,
});
