/** The current time for relative times on the page: one timer for all of them, which stops while the page is hidden. */
import { signal } from '@preact/signals';
import { clockDifference } from './server-clock';

const everyMilliseconds = 10_000;

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
