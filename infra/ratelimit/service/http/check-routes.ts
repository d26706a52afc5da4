/**
 * `check` and `peek` over HTTP. A denial is a 200 answer; a 429 means that the caller exceeds the limits of this API
 * itself.
 */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { LimitRequest } from '../../../../packages/ratelimit/src/index';
import { type Identity, type Route, route } from '../../../server/http/routing/route';
import { createDecide, type DecisionDeps, type DecisionKind } from '../decision-service';
import { createRequestDecoder, decodeBatch, encodeDecision, idempotencyKeyOf } from './message-mapping';
import * as wire from './messages';

const limitRoute = route<DecisionDeps>();
export const access = { scopes: ['ratelimit:check'] };

type DecisionKindOf<Message> = (message: Message) => DecisionKind;
const checkKindOf: DecisionKindOf<wire.LimitCheck> = ({ mode = 'take' }) => (mode === 'take' ? 'check' : 'reserve');
const peekKindOf: DecisionKindOf<wire.LimitPeek> = () => 'peek';

interface CheckedMessage<Message> {
  readonly message: Message;
  readonly request: LimitRequest;
  readonly kind: DecisionKind;
}

const createAnswer =
  (deps: DecisionDeps, identity: Identity) =>
  async <Message extends wire.LimitPeek>({
    message,
    request,
    kind,
  }: CheckedMessage<Message>): Promise<wire.LimitDecision> => {
    const decide = async () => encodeDecision(await createDecide(deps)(kind, request), message);
    const key = kind === 'peek' ? undefined : idempotencyKeyOf(identity, message);
    return key === undefined ? decide() : deps.idempotent(key, decide);
  };

type RouteHandling<Message> = Pick<Route<DecisionDeps, unknown, unknown, Message>, 'body' | 'answers' | 'handle'>;

const handleOne = <Message extends wire.LimitPeek>(
  body: t.Type<Message, unknown>,
  kindOf: DecisionKindOf<Message>,
): RouteHandling<Message> => ({
  body,
  answers: { 200: { description: 'The decision, also if it denies.', body: wire.LimitDecision } },
  handle: async (deps, { identity, body: message }) => {
    const request = createRequestDecoder(deps.hasPlan)(identity, message, '/body');
    if (isLeft(request)) return request.left;
    const checked = { message, request: request.right, kind: kindOf(message) };
    return { status: 200, body: await createAnswer(deps, identity)(checked) };
  },
});

const handleBatch = <Message extends wire.LimitPeek>(
  body: t.Type<{ readonly requests: readonly Message[] }, unknown>,
  kindOf: DecisionKindOf<Message>,
): RouteHandling<{ readonly requests: readonly Message[] }> => ({
  body,
  answers: { 200: { description: 'Decisions, in the order of the requests.', body: wire.LimitDecisions } },
  handle: async (deps, { identity, body: { requests: message } }) => {
    const requests = decodeBatch(createRequestDecoder(deps.hasPlan), identity, message);
    if (isLeft(requests)) return requests.left;
    const all = message.flatMap((one, index): readonly CheckedMessage<Message>[] => {
      const request = requests.right[index];
      return request === undefined ? [] : [{ message: one, request, kind: kindOf(one) }];
    });
    return { status: 200, body: { answers: await Promise.all(all.map(createAnswer(deps, identity))) } };
  },
});

export const checkRateLimit = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/check',
  operation: 'checkRateLimit',
  example: {
    dimensions: { user: 'u-1', model: 'small' },
    mode: 'reserve',
    weight: { inputTokens: 900, outputTokens: 500 },
  },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Check a request: charges its weight, or reserves it for a later settlement',
  description:
    'With a `requestId` the request may be retried for a minute, or for ten if it reserves: an admitted one has the same answer and is counted once. A denied one is decided again.',
  access,
  ...handleOne(wire.LimitCheck, checkKindOf),
});

export const checkRateLimits = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/check/batch',
  operation: 'checkRateLimits',
  example: { requests: [{ dimensions: { user: 'u-1', ip: '192.0.2.7' } }] },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Check up to 100 requests, each by itself',
  access,
  ...handleBatch(wire.LimitChecks, checkKindOf),
});

export const peekRateLimit = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/peek',
  operation: 'peekRateLimit',
  example: { dimensions: { user: 'u-1', ip: '192.0.2.7' } },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Peek at the decision that a request would get: charges nothing',
  access,
  ...handleOne(wire.LimitPeek, peekKindOf),
});

export const peekRateLimits = limitRoute({
  method: 'post',
  path: '/v1/ratelimit/peek/batch',
  operation: 'peekRateLimits',
  example: { requests: [{ dimensions: { user: 'u-1', ip: '192.0.2.7' } }] },
  sensitive: false,
  limitGroup: 'decision',
  summary: 'Peek at the decisions that up to 100 requests would get: charges nothing',
  access,
  ...handleBatch(wire.LimitPeeks, peekKindOf),
});
