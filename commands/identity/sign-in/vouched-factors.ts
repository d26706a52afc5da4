/** Whether an enterprise's provider says that the person proved themselves by several factors (RFC 8176, and `acr`). */
import type { Provider } from '../../../domain/identity/sign-in-policy/decider';
import type { Vouched } from '../../../infra/ports/providers';

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
