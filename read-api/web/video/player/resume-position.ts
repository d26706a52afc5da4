/** Where a film goes on: where its viewer left it. The service answers 0 for one that was seen to its end. */

/** Nearer to the beginning, nothing is lost by beginning again. */
const beginningSeconds = 5;

export const resumePosition = (positionSeconds: number, durationSeconds: number): number =>
  positionSeconds < beginningSeconds || positionSeconds >= durationSeconds ? 0 : positionSeconds;
