/** Serves the gateway's metrics on a private listener. */

import type { Health } from '../ports/runtime/health';
import { listen } from '../server/http/server/listener';
import { operationalApp } from '../server/http/server/operational-endpoints';
import type { GatewayContext } from './config';

export const startMetricsListener = async (
  { config: { METRICS_HOST: host, METRICS_PORT: port }, context, closing }: GatewayContext,
  health: () => Promise<Health>,
): Promise<void> => {
  if (port === undefined) return;
  const app = operationalApp({ ...context, health });
  const listener = await listen(app, { host, port });
  closing.add('metrics', listener.close);
};
