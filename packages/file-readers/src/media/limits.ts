/** Bounds of sound and films, beside those of every file. */
export const mediaLimits = {
  durationMs: 24 * 3_600_000,
  streams: 64,
  /** That are read; a notice names the others. */
  subtitleTracks: 8,
  /** Of one track. */
  subtitleBytes: 20_000_000,
  chapters: 2_000,
  probeBytes: 8_000_000,
  /** Of the sound that is transcribed. */
  speechMs: 4 * 3_600_000,
} as const;
