/** How long to wait before the next try: short while somebody looks at it, and never all at once. */
export interface BackoffState {
  /** Tries in a row that came to nothing. */
  readonly failures: number;
  readonly isVisible: boolean;
  readonly random: () => number;
}

const visible = { shortest: 500, longest: 2_000 };
const hidden = { shortest: 1_000, longest: 300_000 };

export const backoff = ({ failures, isVisible, random }: BackoffState): number => {
  const { shortest, longest } = isVisible ? visible : hidden;
  const full = Math.min(longest, shortest * 2 ** Math.min(failures, 16));
  // Between half and all of it: those whom one failure sent away do not come back in one moment.
  return Math.max(shortest / 2, full * (0.5 + random() / 2));
};
