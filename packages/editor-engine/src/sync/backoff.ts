/** Reconnect delay: exponential with jitter, short while the page is visible. */
export interface BackoffState {
  /** Consecutive failures. */
  readonly failures: number;
  readonly isVisible: boolean;
  readonly random: () => number;
}

const visible = { shortest: 500, longest: 2_000 };
const hidden = { shortest: 1_000, longest: 300_000 };

export const backoff = ({ failures, isVisible, random }: BackoffState): number => {
  const { shortest, longest } = isVisible ? visible : hidden;
  const full = Math.min(longest, shortest * 2 ** Math.min(failures, 16));
  // Jitter between half and the full delay, so that clients do not reconnect together.
  return Math.max(shortest / 2, full * (0.5 + random() / 2));
};
