/** Limits of webhooks, and when a delivery is tried again. */
import type { Instant } from '../kernel/codec';
import { plusSeconds } from '../kernel/instant';

/** Each event of a tenant is compared with all of them. */
export const maxEndpoints = 20;

/** Signatures of older secrets would only make the header longer. */
export const maxSecrets = 3;

/** An endpoint whose deliveries were given up for so long, without one that was accepted, is disabled. */
export const failingSeconds = 3 * 24 * 3_600;

const minute = 60;
const hour = 60 * minute;

/** The pause after each failed attempt; the attempts of a delivery take about a day. */
const retryPauses = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 8 * hour] as const;

export const maxAttempts = retryPauses.length + 1;

/** Null: the delivery is given up. */
export const nextAttemptAfter = (failedAt: Instant, attempts: number): Instant | null => {
  const pause = retryPauses[attempts - 1];
  return pause === undefined ? null : plusSeconds(failedAt, pause);
};
