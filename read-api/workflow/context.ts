/** Workflows on the query side. */
import { openActivity, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { workflowRoutes } from './routes';

export const context = queryContext({
  config: storeVariables,
  open: (values, { reading }) => {
    const activity = openActivity(values);
    return { deps: { ...reading, activity }, close: activity.close };
  },
  routes: workflowRoutes,
});
