/** What the engine takes from where it runs. Tests give a time of their own. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The answer calls it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** When what runs now is over. */
  readonly soon: (run: () => void) => void;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Somebody looks at it; then it comes back within seconds. */
  readonly isVisible: () => boolean;
  /** Tells when somebody looks again, or when there is a network again. */
  readonly onAwake: (listener: () => void) => () => void;
}
