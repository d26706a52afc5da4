/** When somebody for whom a provider vouches proved themselves there: it may know them from this morning. */
import type { Instant } from '../../../domain/kernel/codec';
import type { Vouched } from '../../../infra/ports/providers';

const freshMilliseconds = 5 * 60_000;

/** Undefined: it was to be just now, and was not. A provider that does not say when is believed to have done as it was asked. */
export const provenAt = (
  { authenticatedAt }: Pick<Vouched, 'authenticatedAt'>,
  fresh: boolean,
  now: Instant,
): Instant | undefined => {
  if (authenticatedAt === null) return now;
  const at = Math.max(0, authenticatedAt * 1000);
  const ago = Date.parse(now) - at;
  // Clocks differ: what was done for this is not to seem older than what asked for it.
  if (fresh) return ago <= freshMilliseconds ? now : undefined;
  return ago <= 0 ? now : (new Date(at).toISOString() as Instant);
};
