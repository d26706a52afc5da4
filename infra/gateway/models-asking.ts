/** A request to a model, and whether its limits let it pass. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BegunCall, denialResponse, type LimitRequest, limitHeaders } from '../../packages/ratelimit/src/index';
import type { Identity } from '../http/route';
import { addressOf } from './client-address';
import { modelRefusal } from './models-errors';
import type { ModelsRoute } from './models-routes';

export interface ModelsAsking {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: ModelsRoute;
  readonly identity: Identity;
  readonly requestId: string;
}

export const limitedBy = ({ request, route, identity, requestId }: ModelsAsking): Omit<LimitRequest, 'weight'> => ({
  requestId,
  dimensions: {
    tenant: identity.tenantId,
    user: identity.principalId,
    ip: addressOf(request),
    method: route.method,
    route: route.api ?? 'models',
    ...(identity.clientId === undefined ? {} : { key: identity.clientId }),
  },
});

/** Says what is left, whatever the answer will be; answers what may not pass, and waits for the turn of what may. */
export const mayPass = async (response: ServerResponse, { decision, call }: BegunCall): Promise<boolean> => {
  for (const [name, value] of Object.entries(limitHeaders(decision))) response.setHeader(name, value);
  if (decision.outcome === 'deny') {
    const refused = denialResponse(decision);
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...refused.headers };
    response.writeHead(refused.status, headers);
    response.end(JSON.stringify(modelRefusal(refused, decision.limits.find(({ over }) => over)?.unit)));
    return false;
  }
  if (decision.turnMilliseconds > 0) await sleep(decision.turnMilliseconds);
  if (!response.destroyed) return true;
  await call?.ended('broken');
  return false;
};
