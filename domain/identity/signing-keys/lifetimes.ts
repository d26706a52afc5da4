/** How long a key waits before it signs, and how long it counts after. */
import type { Instant } from '../../kernel/codec';
import { plusSeconds } from '../../kernel/instant';
import { activeKeyOf, nextKeyOf, type SigningKey, type SigningKeys } from './state';

/** What verifiers may keep the published keys for without asking again. */
export const cacheSeconds = 300;

/** The longest life of a token, and the most that clocks may differ. */
const acceptedForSeconds = 3_600 + 60;

/** Who publishes may have known less for a moment, and clocks differ: nobody is in a hurry. */
const propagationSeconds = cacheSeconds + 30;

const isPast = (at: Instant, seconds: number, now: Instant): boolean => plusSeconds(at, seconds) <= now;

export const mayActivate = ({ status, since }: SigningKey, now: Instant): boolean =>
  status === 'published' && isPast(since, cacheSeconds, now);

const isAccepted = ({ status, since }: SigningKey, now: Instant): boolean =>
  status === 'active' || status === 'published' || (status === 'retired' && !isPast(since, acceptedForSeconds, now));

/** Whose signatures count: what signs now, what will soon, and what signed lately. */
export const acceptedAt = (keys: SigningKeys, now: Instant): readonly SigningKey[] =>
  [...keys.values()].filter((key) => isAccepted(key, now));

/** Processes learn of it within a second; a minute later nobody can still be about to sign with it. */
const destructionDelaySeconds = 60;

/** Of no use to anybody any more: their private parts need not lie around. */
export const destroyableKeysAt = (keys: SigningKeys, now: Instant): readonly SigningKey[] =>
  [...keys.values()].filter(
    (key) =>
      (key.status === 'revoked' && isPast(key.since, destructionDelaySeconds, now)) ||
      (key.status === 'retired' && !isAccepted(key, now)),
  );

export type RotationStep =
  | { readonly kind: 'activate' | 'prepare'; readonly key: SigningKey }
  | { readonly kind: 'nothing' };

/** What a rotation needs next; `days` is how long a key signs, 0 until somebody says otherwise. */
export const rotationStepAt = (keys: SigningKeys, now: Instant, days: number): RotationStep => {
  const [active, next] = [activeKeyOf(keys), nextKeyOf(keys)];
  if (next !== undefined)
    return isPast(next.since, propagationSeconds, now) ? { kind: 'activate', key: next } : { kind: 'nothing' };
  const isOld = active !== undefined && days > 0 && isPast(active.since, days * 86_400, now);
  return isOld ? { kind: 'prepare', key: active } : { kind: 'nothing' };
};
