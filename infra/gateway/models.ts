/**
 * The way to the model service: who asks is known by their token, which stays here; what they may use is reserved before, settled after,
 * and said in every answer's headers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import {
  beginModelCall,
  type Limiter,
  type ModelApi,
  type ModelCall,
  type ModelCallOptions,
  type ModelRequest,
  readModelRequest,
} from '../../packages/ratelimit/src/index';
import { type Problem, problem } from '../http/problem';
import type { Log } from '../ports/log';
import { giveNonce } from './credentials';
import { limitedBy, type ModelsAsking, mayPass } from './models-asking';
import type { ReadModelsBody } from './models-body';
import type { ModelsFigures } from './models-figures';
import { type Passed, type Passing, passToModel } from './models-passing';
import { isModelsTarget, modelsRouteOf } from './models-routes';
import type { ModelsUpstream } from './models-upstream';
import type { RateLimit } from './rate-limit';
import { enter } from './rate-limit-door';
import { answerRefused } from './refused';
import { type Identifying, identify } from './session-caller';
import type { Streams } from './streams';

/** As the door counts them. */
export type ModelsOutcome = readonly ['forwarded' | 'refused' | 'failed', reason: string];

export interface Models {
  readonly is: (target: string) => boolean;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<ModelsOutcome>;
  /** Once what is over has been settled. */
  readonly close: () => Promise<void>;
}

export interface ModelsOptions extends Identifying, Omit<ModelCallOptions, 'limiter'> {
  readonly limiter: Pick<Limiter, 'check' | 'reserve' | 'settle'>;
  readonly upstream: ModelsUpstream;
  readonly readBody: ReadModelsBody;
  /** What holds of all requests holds of these first: it needs no body. */
  readonly rateLimit?: RateLimit | undefined;
  readonly streams: Pick<Streams, 'add'>;
  readonly figures: ModelsFigures;
  readonly log: Log;
}

/** What is still to be settled of answers that are over. */
interface Way extends ModelsOptions {
  readonly settling: Set<Promise<void>>;
}

const required = ['models:use'];
/** As limits of the gateway call it. */
const group = 'command';

const refuse = (response: ServerResponse, refused: Problem): ModelsOutcome => {
  answerRefused(response, refused);
  return ['refused', refused.problem.code];
};

const gone: ModelsOutcome = ['refused', 'client-gone'];

const settle = async ({ figures, log }: ModelsOptions, call: ModelCall | undefined, { how }: Passed): Promise<void> => {
  figures.answered(how);
  if (call === undefined) return;
  try {
    figures.settled(await call.ended(how));
  } catch (error) {
    log.error({ error }, 'tokens could not be settled');
  }
};

type Sent = Pick<Passing, 'body' | 'call'>;

const pass = async (options: Way, asking: ModelsAsking, sent: Sent): Promise<ModelsOutcome> => {
  const { upstream, streams, log } = options;
  const { response, identity, route, requestId } = asking;
  const opened: Passing['opened'] = (end) => streams.add({ transport: 'sse', identity, end });
  const passed = await passToModel(response, { upstream, route, requestId, opened, ...sent });
  const settled = settle(options, sent.call, passed).finally(() => options.settling.delete(settled));
  options.settling.add(settled);
  const { refused, fault } = passed;
  if (refused === undefined) return ['forwarded', 'models'];
  if (fault === undefined) log.warn({ requestId, code: refused.problem.code }, 'the model service did not answer');
  else log.error({ requestId, status: fault }, 'the model service refuses the account that is used for it');
  answerRefused(response, refused);
  return ['failed', refused.problem.code];
};

const generate = async (options: Way, asking: ModelsAsking, api: ModelApi): Promise<ModelsOutcome> => {
  const { request, response } = asking;
  const over = new Promise((resolve) => response.once('close', resolve));
  const body = await options.readBody(request, over);
  if (isLeft(body)) return body.left === 'left' ? gone : refuse(response, body.left);
  const asked = readModelRequest(api, body.right.content, options);
  if (asked === undefined) return refuse(response, problem('malformed-body', 'The body must be an object.'));
  const begun = await beginModelCall(options, asked, limitedBy(asking));
  options.figures.decided(begun.decision, asked.weight);
  if (!(await mayPass(response, begun))) return ['refused', begun.decision.reason ?? 'client-gone'];
  return pass(options, asking, { body: body.right.bytes, call: begun.call });
};

/** It brings in nothing and writes nothing, but is one more that is under way until it is over. */
const listing: ModelRequest = { model: undefined, streams: false, weight: {} };

const look = async (options: Way, asking: ModelsAsking): Promise<ModelsOutcome> => {
  const begun = await beginModelCall(options, listing, limitedBy(asking));
  options.figures.decided(begun.decision);
  if (!(await mayPass(asking.response, begun))) return ['refused', begun.decision.reason ?? 'client-gone'];
  return pass(options, asking, { body: undefined, call: begun.call });
};

const serve = async (options: Way, request: IncomingMessage, response: ServerResponse): Promise<ModelsOutcome> => {
  const requestId = String(response.getHeader('X-Request-Id'));
  const route = modelsRouteOf(request.url ?? '');
  if (route === undefined) return refuse(response, problem('not-found', 'There is nothing at this path.'));
  if (request.method !== route.method) {
    const refused = problem('method-not-allowed', `Use ${route.method}.`);
    return refuse(response, { ...refused, headers: { Allow: route.method } });
  }
  const identity = await identify(options, request, { requestId, required });
  if (isLeft(identity)) return refuse(response, identity.left);
  giveNonce(response, options.authentication);
  const entered = await enter(options.rateLimit, response, { identity: identity.right, route: group });
  if (!entered) return ['refused', 'rate-limited'];
  const asking = { request, response, route, identity: identity.right, requestId };
  return route.api === undefined ? look(options, asking) : generate(options, asking, route.api);
};

export const openModels = (options: ModelsOptions): Models => {
  const way = { ...options, settling: new Set<Promise<void>>() };
  return {
    is: isModelsTarget,
    serve: (request, response) => serve(way, request, response),
    close: async () => void (await Promise.all(way.settling)),
  };
};
