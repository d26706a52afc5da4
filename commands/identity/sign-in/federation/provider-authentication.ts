/** When somebody for whom a provider vouches proved themselves there: it may know them from this morning. */

import type { Provider } from '../../../../domain/identity/sign-in-policy/decider';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Vouched } from '../../../../infra/ports/providers';

const maxAgeMilliseconds = 5 * 60_000;

/** Undefined: it was to be just now, and was not. A provider that does not say when is believed to have done as it was asked. */
export const authenticatedAtOf = (
  { authenticatedAt }: Pick<Vouched, 'authenticatedAt'>,
  fresh: boolean,
  now: Instant,
): Instant | undefined => {
  if (authenticatedAt === null) return now;
  const at = Math.max(0, authenticatedAt * 1000);
  const ago = Date.parse(now) - at;
  // Clocks differ: what was done for this is not to seem older than what asked for it.
  if (fresh) return ago <= maxAgeMilliseconds ? now : undefined;
  return ago <= 0 ? now : (new Date(at).toISOString() as Instant);
};

/** Whether an enterprise's provider says that the person proved themselves by several factors (RFC 8176, and `acr`). */

type Factor = 'knowledge' | 'possession' | 'inherence';

/** What RFC 8176, section 2, names, by the factor that it proves. What proves no factor by itself, as `user` and `rba`, is left out. */
const factors: ReadonlyMap<string, Factor> = new Map([
  ...(['pwd', 'pin', 'kba'] as const).map((method) => [method, 'knowledge'] as const),
  ...(['otp', 'hwk', 'swk', 'sc', 'sms', 'tel'] as const).map((method) => [method, 'possession'] as const),
  ...(['face', 'fpt', 'iris', 'retina', 'vbm'] as const).map((method) => [method, 'inherence'] as const),
]);

/** Two methods of one factor, as two passwords, are one. */
export const provesSeveralFactors = (
  { methods, context }: Pick<Vouched, 'methods' | 'context'>,
  { mfaContexts }: Pick<Provider, 'mfaContexts'>,
): boolean => {
  if (methods.includes('mfa') || (context !== null && mfaContexts.includes(context))) return true;
  return new Set(methods.flatMap((method) => factors.get(method) ?? [])).size > 1;
};
