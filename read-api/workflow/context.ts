/** Workflows on the query side. */
import { describedOnly } from '../../infra/http/routing/route';
import { openActivity, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { workflowRoutes } from './routes';

export const context = queryContext({
  config: storeVariables,
  open: (values, { reading }) => {
    const activity = openActivity(values);
    return { routes: workflowRoutes({ ...reading, activity }), close: activity.close };
  },
  routes: () => workflowRoutes(describedOnly),
});
