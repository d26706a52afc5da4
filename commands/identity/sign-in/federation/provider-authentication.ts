/** Authentication time and factors that an identity provider asserts. */

import type { Provider } from '../../../../domain/identity/sign-in-policy/decider';
import type { Instant } from '../../../../domain/kernel/codec';
import type { ProviderIdentity } from '../../../../infra/ports/identity/identity-providers';

const maxAgeMilliseconds = 5 * 60_000;

/** Undefined: recent authentication was requested but not performed. Providers that omit auth_time are trusted. */
export const authenticatedAtOf = (
  { authenticatedAt }: Pick<ProviderIdentity, 'authenticatedAt'>,
  fresh: boolean,
  now: Instant,
): Instant | undefined => {
  if (authenticatedAt === null) return now;
  const at = Math.max(0, authenticatedAt * 1000);
  const ago = Date.parse(now) - at;
  // Clocks differ, so a fresh authentication counts as now.
  if (fresh) return ago <= maxAgeMilliseconds ? now : undefined;
  return ago <= 0 ? now : (new Date(at).toISOString() as Instant);
};

type Factor = 'knowledge' | 'possession' | 'inherence';

/** Methods of RFC 8176 section 2 by factor. Methods that prove no factor, such as `user` and `rba`, are left out. */
const factors: ReadonlyMap<string, Factor> = new Map([
  ...(['pwd', 'pin', 'kba'] as const).map((method) => [method, 'knowledge'] as const),
  ...(['otp', 'hwk', 'swk', 'sc', 'sms', 'tel'] as const).map((method) => [method, 'possession'] as const),
  ...(['face', 'fpt', 'iris', 'retina', 'vbm'] as const).map((method) => [method, 'inherence'] as const),
]);

/** Two methods of the same factor count once. */
export const provesSeveralFactors = (
  { methods, context }: Pick<ProviderIdentity, 'methods' | 'context'>,
  { mfaContexts }: Pick<Provider, 'mfaContexts'>,
): boolean => {
  if (methods.includes('mfa') || (context !== null && mfaContexts.includes(context))) return true;
  return new Set(methods.flatMap((method) => factors.get(method) ?? [])).size > 1;
};
