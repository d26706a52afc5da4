/** Arithmetic on instants, without a clock. */
import type { Instant } from './codec';

export const plusSeconds = (at: Instant, seconds: number): Instant =>
  new Date(Date.parse(at) + seconds * 1000).toISOString() as Instant;

/** `2026013112`: what streams of an hour are named by. */
export const hourOf = (at: Instant): string => at.slice(0, 13).replaceAll(/[-T]/g, '');

export const wholeSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000);
