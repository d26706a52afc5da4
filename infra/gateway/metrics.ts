/** Counts decisions about requests and measures response times. */
import type { ServerResponse } from 'node:http';
import type { Metrics } from '../ports/runtime/metrics';
import { methodOf } from '../server/http/server/operational-endpoints';

/** `answered`: by the gateway itself. `failed`: the service could not be reached or did not answer. */
type Decision = 'forwarded' | 'answered' | 'refused' | 'failed';

export interface GatewayMetrics {
  /** The reason is a problem code, a service name or a part of the gateway, never text of the request. */
  readonly decided: (decision: Decision, reason: string) => void;
  readonly timed: (response: ServerResponse) => void;
}

export const createGatewayMetrics = (metrics: Metrics): GatewayMetrics => {
  const decided = metrics.counter({
    name: 'gateway_decisions_total',
    help: 'Requests by destination, or by the reason of a refusal.',
    labels: ['decision', 'reason'],
  });
  const observe = metrics.histogram({
    name: 'gateway_request_seconds',
    help: 'Time until an answer was complete.',
    labels: ['method', 'status'],
  });
  return {
    decided: (decision, reason) => decided({ decision, reason }),
    timed: (response) => {
      const began = performance.now();
      response.once('close', () => {
        const status = response.writableFinished ? String(response.statusCode) : 'aborted';
        observe((performance.now() - began) / 1000, { method: methodOf(response.req), status });
      });
    },
  };
};
