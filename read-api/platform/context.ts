/** The platform on the query side: the log without its secrets, how events become state, and the ledgers of views and processes. */

import { openStreamPages } from '../../infra/eventstore/stream-pages';
import { describedOnly } from '../../infra/http/route';
import { maskedPages } from '../../infra/vault/event-encryption';
import { openLedger, openProcesses, storeVariables } from '../composition/stores';
import { queryContext } from '../kernel/context';
import { states } from './composition/states';
import { platformStreams } from './live';
import { platformRoutes } from './routes';

export const context = queryContext({
  config: storeVariables,
  open: (values, { reading, streaming, readAll, clock, operators }) => {
    const pages = maskedPages({ ...openStreamPages({ url: values.EVENTSTORE_URL }), readAll });
    const explorer = { reading, pages, states, operators };
    const ledger = openLedger(values);
    const processes = openProcesses(values);
    return {
      routes: platformRoutes({ explorer, operations: { processes, clock, operators }, ledger, streaming }),
      streams: platformStreams(explorer),
      close: () => Promise.all([pages.close(), ledger.close(), processes.close()]),
    };
  },
  routes: () =>
    platformRoutes({
      explorer: describedOnly,
      operations: describedOnly,
      ledger: describedOnly,
      streaming: describedOnly,
    }),
});
