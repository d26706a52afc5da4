/** The current time for relative times on the page: one timer for all of them, which stops while the page is hidden. */
import { signal } from '@preact/signals';

const everyMilliseconds = 10_000;

export const now = signal(Date.now());

export const startClock = (): void => {
  const tick = (): void => {
    if (document.visibilityState === 'visible') now.value = Date.now();
  };
  setInterval(tick, everyMilliseconds);
  document.addEventListener('visibilitychange', tick);
};
