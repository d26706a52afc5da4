/** Port: clock, timers and visibility. Tests use a virtual clock. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the function that cancels the timer. */
  readonly schedule: (milliseconds: number, run: () => void) => () => void;
  /** Runs in a microtask. */
  readonly enqueueMicrotask: (run: () => void) => void;
  /** In [0, 1). */
  readonly random: () => number;
  /** While visible, reconnects come within seconds. */
  readonly isVisible: () => boolean;
  /** Called when the page becomes visible or the network returns. */
  readonly onResume: (listener: () => void) => () => void;
}
