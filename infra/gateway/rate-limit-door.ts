/** Lets a request in, or answers it with what its limits say: as JSON, as a page for people, before a WebSocket. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { DenialResponse } from '../../packages/ratelimit/src/index';
import { sendUnread } from '../http/linger';
import { answerUpgrade, type Upgrading } from '../http/upgrade';
import type { DoorFigures } from './figures';
import { modelRefusal } from './models-errors';
import { isModelsTarget } from './models-routes';
import { pageHeaders } from './peoples-page';
import type { Limited, RateLimit } from './rate-limit';
import { limitedPage } from './rate-limit-page';
import { isNavigation } from './refused';
import { allowReadingRefusal } from './shield';

interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const written = (refusal: DenialResponse, body: object = refusal.body): Written => ({
  status: refusal.status,
  headers: { 'Content-Type': 'application/json', ...refusal.headers },
  text: JSON.stringify(body),
});

const asPage = ({ status, headers }: DenialResponse): Written => ({
  status,
  headers: { ...headers, ...pageHeaders },
  text: limitedPage(status, Number(headers['Retry-After'] ?? 0)),
});

export const answerLimited = (response: ServerResponse, refusal: DenialResponse): void => {
  allowReadingRefusal(response);
  const { req: request } = response;
  if (isModelsTarget(request.url ?? '')) sendUnread(response, written(refusal, modelRefusal(refusal)));
  else sendUnread(response, isNavigation(request) ? asPage(refusal) : written(refusal));
};

const entered = new WeakMap<IncomingMessage, 'known' | 'unknown'>();

/** For whom it was counted: somebody, or only a place; undefined where it was not. */
export const enteredAs = (request: IncomingMessage): 'known' | 'unknown' | undefined => entered.get(request);

/** Answers whether it may go on; the answer to it says what is left, whatever it will be. */
export const enter = async (
  limits: RateLimit | undefined,
  response: ServerResponse,
  entering: Limited,
): Promise<boolean> => {
  if (limits === undefined) return true;
  entered.set(response.req, entering.identity === undefined ? 'unknown' : 'known');
  const { headers, refusal, over } = await limits(response.req, entering);
  if (over !== undefined) response.once('close', over);
  if (response.destroyed) over?.();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (refusal === undefined) return true;
  answerLimited(response, refusal);
  return false;
};

export interface Watched {
  readonly rateLimit?: RateLimit | undefined;
  readonly figures: Pick<DoorFigures, 'decided'>;
}

export const mayEnter = async (
  { rateLimit, figures }: Watched,
  response: ServerResponse,
  entering: Limited,
): Promise<boolean> => {
  const entered = await enter(rateLimit, response, entering);
  if (!entered) figures.decided('refused', 'rate-limited');
  return entered;
};

export const refuseUpgradeBy = ({ socket }: Upgrading, refusal: DenialResponse): void => {
  const answer = written(refusal);
  answerUpgrade(socket, { ...answer, title: STATUS_CODES[answer.status] ?? '' });
};

export const enterUpgrade = async (
  limits: RateLimit | undefined,
  upgrading: Upgrading,
  limited: Limited,
): Promise<boolean> => {
  if (limits === undefined) return true;
  const { request, socket } = upgrading;
  const { refusal, over } = await limits(request, limited);
  if (over !== undefined) socket.once('close', over);
  if (socket.destroyed) over?.();
  if (refusal === undefined) return true;
  refuseUpgradeBy(upgrading, refusal);
  return false;
};
