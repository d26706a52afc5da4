/** Opens the reporter of refused requests: the list of them is in Redis, where there is one. */
import type { IncomingMessage } from 'node:http';
import { openRedis } from '../../adapters/redis/connection';
import { createRefusedRequestRecorder } from '../../adapters/redis/identity/refused-requests';
import type { RefusedRequestRecorder } from '../../ports/identity/refused-requests';
import type { GatewayContext } from '../config';
import type { Upstreams } from '../proxy/upstreams';
import { createRefusalReporter, type RefusalReporter } from '../refusals/refusal-reporter';
import { resolveDestination } from '../routing/destinations';
import type { RouteTable } from '../routing/route-table';

const openRecorder = ({ config, closing }: GatewayContext): RefusedRequestRecorder | undefined => {
  if (config.REDIS_URL === undefined) return undefined;
  const redis = openRedis(config.REDIS_URL);
  const recorder = createRefusedRequestRecorder(redis);
  closing.add('refused requests', async () => {
    await recorder.close();
    redis.disconnect();
  });
  return recorder;
};

interface RouteSources {
  readonly routes: Pick<RouteTable, 'templateOf'>;
  readonly upstreams: Upstreams;
}

const templateOf =
  ({ routes, upstreams }: RouteSources) =>
  ({ method = '', url = '' }: IncomingMessage): string | undefined => {
    const destination = resolveDestination(method, url);
    return routes.templateOf(destination && upstreams[destination.upstream], url);
  };

export const openRefusalReporter = (opened: GatewayContext, sources: RouteSources): RefusalReporter =>
  createRefusalReporter({
    record: openRecorder(opened)?.record,
    templateOf: templateOf(sources),
    log: opened.context.log,
  });
