/** Applies a rate limit decision: continues, or sends 429 as JSON, as a page, or on a WebSocket handshake. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { DenialResponse } from '../../../packages/ratelimit/src/index';
import { sendUnread } from '../../server/http/server/lingering-close';
import { answerUpgrade, type Upgrading } from '../../server/http/server/upgrade';
import { oauthDenialBody } from '../../server/http/too-many-requests';
import { isNavigation } from '../error-response';
import { pageHeaders, renderRateLimitPage } from '../html-page';
import type { GatewayMetrics } from '../metrics';
import { modelRefusal } from '../models/errors';
import { isModelPath } from '../models/routes';
import { allowReadingError } from '../security-headers';
import type { RateLimit, RateLimitRequest } from './rate-limiter';
import { isOAuthPath } from './route-groups';

interface RateLimitResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const rateLimitResponse = (refusal: DenialResponse, body: object = refusal.body): RateLimitResponse => ({
  status: refusal.status,
  headers: { 'Content-Type': 'application/json', ...refusal.headers },
  text: JSON.stringify(body),
});

/** RFC 6749 section 5.2: OAuth's clients read `error_description`, and no response of these endpoints may be cached. */
const oauthResponse = (refusal: DenialResponse): RateLimitResponse => {
  const { headers, ...response } = rateLimitResponse(refusal, oauthDenialBody(refusal.body));
  return { ...response, headers: { ...headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' } };
};

const rateLimitPageResponse = ({ status, headers }: DenialResponse): RateLimitResponse => ({
  status,
  headers: { ...headers, ...pageHeaders },
  text: renderRateLimitPage(status, Number(headers['Retry-After'] ?? 0)),
});

export const sendRateLimitRefusal = (response: ServerResponse, refusal: DenialResponse): void => {
  allowReadingError(response);
  const { req: request } = response;
  const { url = '' } = request;
  if (isModelPath(url)) sendUnread(response, rateLimitResponse(refusal, modelRefusal(refusal)));
  else if (isOAuthPath(url) && !isNavigation(request)) sendUnread(response, oauthResponse(refusal));
  else sendUnread(response, isNavigation(request) ? rateLimitPageResponse(refusal) : rateLimitResponse(refusal));
};

const rateLimitSubjects = new WeakMap<IncomingMessage, 'known' | 'unknown'>();

/** Whether an authenticated caller or only an address was counted; undefined: nothing was. */
export const rateLimitSubject = (request: IncomingMessage): 'known' | 'unknown' | undefined =>
  rateLimitSubjects.get(request);

/** Returns true when the request may proceed. Sets the rate limit headers in both cases. */
export const enforceRateLimit = async (
  limits: RateLimit | undefined,
  response: ServerResponse,
  entering: RateLimitRequest,
): Promise<boolean> => {
  if (limits === undefined) return true;
  rateLimitSubjects.set(response.req, entering.identity === undefined ? 'unknown' : 'known');
  const { headers, refusal, over } = await limits(response.req, entering);
  if (over !== undefined) response.once('close', over);
  if (response.destroyed) over?.();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (refusal === undefined) return true;
  sendRateLimitRefusal(response, refusal);
  return false;
};

export interface EnforcementContext {
  readonly rateLimit?: RateLimit | undefined;
  readonly gatewayMetrics: Pick<GatewayMetrics, 'decided'>;
}

export const enforceWithMetrics = async (
  { rateLimit, gatewayMetrics }: EnforcementContext,
  response: ServerResponse,
  entering: RateLimitRequest,
): Promise<boolean> => {
  const entered = await enforceRateLimit(rateLimit, response, entering);
  if (!entered) gatewayMetrics.decided('refused', 'rate-limited');
  return entered;
};

export const refuseUpgrade = ({ socket }: Upgrading, refusal: DenialResponse): void => {
  const answer = rateLimitResponse(refusal);
  answerUpgrade(socket, { ...answer, title: STATUS_CODES[answer.status] ?? '' });
};

export const enforceUpgradeRateLimit = async (
  limits: RateLimit | undefined,
  upgrading: Upgrading,
  limited: RateLimitRequest,
): Promise<boolean> => {
  if (limits === undefined) return true;
  const { request, socket } = upgrading;
  const { refusal, over } = await limits(request, limited);
  if (over !== undefined) socket.once('close', over);
  if (socket.destroyed) over?.();
  if (refusal === undefined) return true;
  refuseUpgrade(upgrading, refusal);
  return false;
};
