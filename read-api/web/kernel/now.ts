/** The current time for relative times on the page: one timer for all of them, which stops while the page is hidden. */
import { signal } from '@preact/signals';

const everyMilliseconds = 10_000;

/** `Date` headers have whole seconds and travel for a while, so a smaller difference says nothing. */
const headerPrecision = 2_000;

/** Milliseconds by which the server's clock is ahead of this one's. */
export const clockDifference = (date: string | null, receivedAt: number): number => {
  const difference = Date.parse(date ?? '') + 500 - receivedAt;
  return Math.abs(difference) > headerPrecision ? difference : 0;
};

let difference = 0;

/** By the server's clock, because its clocks made the times that the page shows. */
const currentTime = (): number => Date.now() + difference;

export const observeServerDate = (date: string | null): void => {
  if (date !== null && !Number.isNaN(Date.parse(date))) difference = clockDifference(date, Date.now());
};

export const now = signal(currentTime());

/** The time of a render, which may be later than the last tick; the next tick renders again. */
export const renderTime = (): number => Math.max(now.value, currentTime());

export const startClock = (): void => {
  const tick = (): void => {
    if (document.visibilityState === 'visible') now.value = currentTime();
  };
  setInterval(tick, everyMilliseconds);
  document.addEventListener('visibilitychange', tick);
};
