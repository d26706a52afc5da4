/** Workflows on the query side. */
import { describedOnly } from '../../infra/http/routing/route';
import { queryContext } from '../kernel/context';
import { workflowRoutes } from './routes';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ routes: workflowRoutes(reading) }),
  routes: () => workflowRoutes(describedOnly),
});
