/** Times of key rotation. */
import type { Instant } from '../../kernel/codec';
import { plusSeconds } from '../../kernel/instant';
import { activeKeyOf, type KeyUse, nextKeyOf, type SigningKey, type SigningKeys } from './state';

/** Cache lifetime of the JWKS. */
export const cacheSeconds = 300;

/** Maximum token lifetime plus clock skew. */
const acceptedForSeconds = 3_600 + 60;

/** Time until all verifiers know a published key. */
const propagationSeconds = cacheSeconds + 30;

const isPast = (at: Instant, seconds: number, now: Instant): boolean => plusSeconds(at, seconds) <= now;

export const mayActivate = ({ status, since }: SigningKey, now: Instant): boolean =>
  status === 'published' && isPast(since, cacheSeconds, now);

const isAccepted = ({ status, since }: SigningKey, now: Instant): boolean =>
  status === 'active' || status === 'published' || (status === 'retired' && !isPast(since, acceptedForSeconds, now));

/** Keys whose signatures are valid: active, next, and recently retired. */
export const acceptedAt = (keys: SigningKeys, now: Instant): readonly SigningKey[] =>
  [...keys.values()].filter((key) => isAccepted(key, now));

/** Processes learn of a change within a second; after a minute none signs with the old key. */
const destructionDelaySeconds = 60;

/** Keys whose private parts can be destroyed. */
export const destroyableKeysAt = (keys: SigningKeys, now: Instant): readonly SigningKey[] =>
  [...keys.values()].filter(
    (key) =>
      (key.status === 'revoked' && isPast(key.since, destructionDelaySeconds, now)) ||
      (key.status === 'retired' && !isAccepted(key, now)),
  );

export type RotationStep =
  | { readonly kind: 'activate' | 'prepare'; readonly key: SigningKey }
  | { readonly kind: 'nothing' };

export interface RotationSchedule {
  readonly use: KeyUse;
  /** Period of use, 0 for no scheduled rotation. */
  readonly days: number;
}

/** The next step of a rotation. */
export const rotationStepAt = (keys: SigningKeys, now: Instant, { use, days }: RotationSchedule): RotationStep => {
  const [active, next] = [activeKeyOf(keys, use), nextKeyOf(keys, use)];
  if (next !== undefined)
    return isPast(next.since, propagationSeconds, now) ? { kind: 'activate', key: next } : { kind: 'nothing' };
  const isOld = active !== undefined && days > 0 && isPast(active.since, days * 86_400, now);
  return isOld ? { kind: 'prepare', key: active } : { kind: 'nothing' };
};
