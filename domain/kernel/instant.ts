/** Arithmetic on moments that were given; none is ever asked for here. */
import type { Instant } from './codec';

export const plusSeconds = (at: Instant, seconds: number): Instant =>
  new Date(Date.parse(at) + seconds * 1000).toISOString() as Instant;

export const wholeSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000);
