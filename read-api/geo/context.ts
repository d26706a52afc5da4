/** Places on the query side. Search has a process of its own, in `search/`. */
import { queryContext } from '../kernel/context';
import { geoRoutes } from './routes';
import { searchRoutes } from './search/search-route';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ deps: reading }),
  routes: geoRoutes,
  services: { search: searchRoutes },
});
