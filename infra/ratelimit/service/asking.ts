/** A request as the limiter takes it: whatever it says, it is of the caller's own tenant. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { LimitRequest, Settling } from '../../../packages/ratelimit/src/index';
import { invalidInput, type Problem, problem } from '../../http/problem';
import type { Identity } from '../../http/route';
import { reservationMilliseconds } from './limiters';
import type { Named } from './once';
import type { LimitCheck, LimitPeek, LimitSettlement } from './wire';

type Read<Given, Asked> = (identity: Identity, given: Given, pointer: string) => Either<Problem, Asked>;

const rulesScope = 'ratelimit:read';

/** By the plans of the policy in force. */
export const requestOf =
  (hasPlan: (plan: string) => boolean): Read<LimitPeek, LimitRequest> =>
  ({ tenantId, scopes }, given, pointer) => {
    const { dimensions, requestId, target, plan, timeZone, weight, show = [] } = given;
    if (dimensions.tenant !== undefined && dimensions.tenant !== tenantId)
      return left(problem('forbidden', 'Limits of another tenant are not yours to ask about.'));
    if (show.includes('rules') && !scopes.includes(rulesScope))
      return left(problem('forbidden', `Rules are shown to those who have the scope ${rulesScope}.`));
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

const takenMilliseconds = 60_000;

/** The same in whatever order it was written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1))
      : held,
  );

/** By who asks, and all that is asked: the same name with anything else is another request. Undefined: nothing is said twice. */
export const namedOf = ({ tenantId, principalId }: Identity, given: LimitCheck): Named | undefined => {
  if (given.requestId === undefined) return undefined;
  const { mode = 'take' } = given;
  const said = canonical([tenantId, principalId, { ...given, mode }]);
  return {
    name: createHash('sha256').update(said).digest('base64url'),
    milliseconds: mode === 'take' ? takenMilliseconds : reservationMilliseconds,
  };
};

export const settlingOf: Read<LimitSettlement, Settling> = ({ tenantId: tenant }, given, pointer) => {
  const { reservationId, actual, outcome, final } = given;
  if (actual === undefined && outcome === undefined)
    return left(invalidInput([{ pointer: `${pointer}/actual`, expected: 'this or an outcome: there is neither' }]));
  if (actual !== undefined && outcome !== undefined)
    return left(invalidInput([{ pointer: `${pointer}/actual`, expected: 'this or an outcome, not both' }]));
  if (outcome !== undefined && final === false)
    return left(invalidInput([{ pointer: `${pointer}/final`, expected: 'true: nothing comes after a failure' }]));
  const end = final === undefined ? {} : { final };
  return right({ reservationId, tenant, actual: actual ?? 'refund', ...end });
};

const mostAtOnce = 100;

/** Nothing of a batch is done while something of it has not the right form. */
export const eachOf = <Given, Asked>(
  read: Read<Given, Asked>,
  identity: Identity,
  given: readonly Given[],
): Either<Problem, readonly Asked[]> => {
  if (given.length < 1 || given.length > mostAtOnce)
    return left(invalidInput([{ pointer: '/body/requests', expected: `from 1 to ${mostAtOnce} of them` }]));
  const all: Asked[] = [];
  for (const [index, one] of given.entries()) {
    const asked = read(identity, one, `/body/requests/${index}`);
    if (isLeft(asked)) return asked;
    all.push(asked.right);
  }
  return right(all);
};
