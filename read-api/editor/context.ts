/** The editor on the query side: documents, who has a role in them, and the log of their content. */

import { blobVariables } from '../../infra/blobs/open';
import { optional, variables } from '../../infra/config';
import { openStreamPages } from '../../infra/eventstore/stream-pages';
import { describedOnly, queryContext } from '../kernel/context';
import { documentReading, empty, piecesIn } from './composition/reading';
import { editorRoutes } from './routes';

export const context = queryContext({
  config: {
    EVENTSTORE_URL: variables.EVENTSTORE_URL,
    /** Where pieces of snapshots are; left out, snapshots are told of without them. */
    ...blobVariables,
    PUBLIC_URL: optional(variables.PUBLIC_URL),
  },
  open: (values, { reading, store }) => {
    const pages = openStreamPages({ url: values.EVENTSTORE_URL });
    const documents = documentReading(reading, store, pages.stream);
    return { routes: editorRoutes({ ...documents, pieces: piecesIn(values), empty }), close: pages.close };
  },
  routes: () => editorRoutes(describedOnly),
});
