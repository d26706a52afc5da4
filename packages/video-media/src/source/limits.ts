/** Bounds of a source. */
export const sourceLimits = {
  durationSeconds: 24 * 3_600,
  /** Of the longer side. */
  side: 8_192,
  streams: 64,
  frameRate: 1_000,
} as const;
