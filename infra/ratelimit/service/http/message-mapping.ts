/**
 * Maps messages to calls of the limiter and decisions to messages. Every request counts for the caller's own tenant.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type Decision,
  denialResponse,
  type LimitRequest,
  type LimitStatus,
  limitHeaders,
  type Settlement,
} from '../../../../packages/ratelimit/src/index';
import { estimateSourceOf } from '../../../../packages/ratelimit/src/server';
import { invalidInput, type Problem, problem } from '../../../server/http/problem';
import type { Identity } from '../../../server/http/routing/route';
import { reservationMilliseconds } from '../limiter-set';
import type { IdempotencyKey } from './idempotent-checks';
import type { LimitCheck, LimitDecision, LimitPeek, LimitSettlement } from './messages';

type DecodeMessage<Message, Decoded> = (
  identity: Identity,
  message: Message,
  pointer: string,
) => Either<Problem, Decoded>;

const rulesScope = 'ratelimit:read';

/** Accepts only plans of the policy in force. */
export const createRequestDecoder =
  (hasPlan: (plan: string) => boolean): DecodeMessage<LimitPeek, LimitRequest> =>
  ({ tenantId, scopes }, message, pointer) => {
    const { dimensions, requestId, target, plan, timeZone, weight, show = [] } = message;
    if (dimensions.tenant !== undefined && dimensions.tenant !== tenantId)
      return left(problem('forbidden', 'You may not read the limits of another tenant.'));
    if (show.includes('rules') && !scopes.includes(rulesScope))
      return left(problem('forbidden', `Only callers with the scope ${rulesScope} may see rules.`));
    if (plan !== undefined && !hasPlan(plan))
      return left(invalidInput([{ pointer: `${pointer}/plan`, expected: 'a plan of the policy' }]));
    return right({
      dimensions: { ...dimensions, tenant: tenantId },
      ...(requestId === undefined ? {} : { requestId }),
      ...(target === undefined ? {} : { target }),
      ...(plan === undefined ? {} : { plan }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(weight === undefined ? {} : { weight }),
    });
  };

const takeAnswerMilliseconds = 60_000;

/** Independent of the order of members. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, nested: unknown) =>
    typeof nested === 'object' && nested !== null && !Array.isArray(nested)
      ? Object.entries(nested).sort(([one], [other]) => (one < other ? -1 : 1))
      : nested,
  );

/**
 * Derived from the caller and the whole message: the same request id with another message is another request. Undefined
 * without a request id.
 */
export const idempotencyKeyOf = (
  { tenantId, principalId }: Identity,
  message: LimitCheck,
): IdempotencyKey | undefined => {
  if (message.requestId === undefined) return undefined;
  const { mode = 'take' } = message;
  const identifying = canonicalJson([tenantId, principalId, { ...message, mode }]);
  return {
    name: createHash('sha256').update(identifying).digest('base64url'),
    milliseconds: mode === 'take' ? takeAnswerMilliseconds : reservationMilliseconds,
  };
};

export const decodeSettlement: DecodeMessage<LimitSettlement, Settlement> = (
  { tenantId: tenant },
  message,
  pointer,
) => {
  const { reservationId, actual, outcome, final } = message;
  if (actual === undefined && outcome === undefined)
    return left(invalidInput([{ pointer: `${pointer}/actual`, expected: 'this or an outcome: there is neither' }]));
  if (actual !== undefined && outcome !== undefined)
    return left(invalidInput([{ pointer: `${pointer}/actual`, expected: 'this or an outcome, not both' }]));
  if (outcome !== undefined && final === false)
    return left(invalidInput([{ pointer: `${pointer}/final`, expected: 'true: nothing comes after a failure' }]));
  const end = final === undefined ? {} : { final };
  return right({ reservationId, tenant, actual: actual ?? 'refund', ...end });
};

/** Rejects the whole batch if one message is invalid. */
export const decodeBatch = <Message, Decoded>(
  read: DecodeMessage<Message, Decoded>,
  identity: Identity,
  message: readonly Message[],
): Either<Problem, readonly Decoded[]> => {
  const all: Decoded[] = [];
  for (const [index, one] of message.entries()) {
    const decoded = read(identity, one, `/body/requests/${index}`);
    if (isLeft(decoded)) return decoded;
    all.push(decoded.right);
  }
  return right(all);
};

type ShowOption = LimitPeek['show'];

const encodeLimit = ({ unit, limit, remaining, resetSeconds, windowSeconds, over }: LimitStatus) => ({
  unit,
  limit,
  remaining,
  resetSeconds,
  windowSeconds,
  over,
});

const encodeLimits = ({ limits }: Decision, show: ShowOption): LimitDecision['limits'] =>
  show?.includes('rules')
    ? limits.map((one) => ({ ...encodeLimit(one), rule: one.rule, watched: one.watched }))
    : limits.filter(({ watched }) => !watched).map(encodeLimit);

/** The reply for the caller's own client: headers always, status and body for a denial. */
const encodeReply = (decision: Decision): LimitDecision['reply'] =>
  decision.outcome === 'deny' ? denialResponse(decision) : { headers: limitHeaders(decision) };

/** Encodes a decision: limits by unit; rule names, dry runs and a ready-made reply only on request (`show`). */
export const encodeDecision = (
  decision: Decision,
  { show = [], weight = {} }: Pick<LimitPeek, 'show' | 'weight'>,
): LimitDecision => {
  const estimateSource = estimateSourceOf(weight);
  const { outcome, reason, reservationId, turnMilliseconds, hint, message } = decision;
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(reservationId === undefined ? {} : { reservationId }),
    limits: encodeLimits(decision, show),
    retryAfterSeconds: decision.retryAfterSeconds,
    ...(turnMilliseconds === 0 ? {} : { turnMilliseconds }),
    ...(hint === undefined ? {} : { hint }),
    ...(message === undefined ? {} : { message }),
    configVersion: decision.policyVersion,
    source: decision.source,
    ...(estimateSource === undefined ? {} : { estimateSource }),
    ...(show.includes('reply') ? { reply: encodeReply(decision) } : {}),
  };
};
