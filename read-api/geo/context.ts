/** Places on the query side. Search has a process of its own, in `search/`. */
import { describedOnly } from '../../infra/http/routing/route';
import { queryContext } from '../kernel/context';
import { geoRoutes } from './routes';
import { searchRoutes } from './search/search-route';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ routes: geoRoutes(reading) }),
  routes: () => geoRoutes(describedOnly),
  serviceRoutes: { search: () => searchRoutes(describedOnly) },
});
