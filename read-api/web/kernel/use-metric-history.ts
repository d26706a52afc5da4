/** The recorded metrics of the last hour, for the charts of a service's own page. */
import { getPlatformOverview } from '../../../packages/client/src/operations';
import { type History, historyOf } from './metric-history';
import { hasScope } from './permissions';
import { useResource } from './use-resource';

const everyMilliseconds = 15_000;

/** Undefined: not loaded, or not for this reader; metrics are of all tenants, so they are for operators of the platform. */
export const useMetricHistory = (): History | undefined => {
  const request = hasScope('platform:read') ? getPlatformOverview({ window: 'hour' }) : undefined;
  const { content } = useResource(request, { everyMilliseconds });
  return content === undefined || content.audience !== 'platform' ? undefined : historyOf(content);
};
