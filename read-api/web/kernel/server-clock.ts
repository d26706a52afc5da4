/** How far the server's clock is from this one, by the `Date` of its answers. */
/** `Date` headers have whole seconds and travel for a while, so a smaller difference is no evidence. */
const headerPrecision = 2_000;

/** Milliseconds by which the server's clock is ahead of this one's. */
export const clockDifference = (date: string | null, receivedAt: number): number => {
  const difference = Date.parse(date ?? '') + 500 - receivedAt;
  return Math.abs(difference) > headerPrecision ? difference : 0;
};
