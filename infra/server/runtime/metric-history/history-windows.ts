/** Steps and lengths of the recorded history: an hour for charts that follow what happens, a day to see what changed. */
import type { HistoryWindow } from '../../../ports/runtime/metric-history';

/** Each process samples at this interval. */
export const sampleSeconds = 15;

export const historyWindows: { readonly [Window in HistoryWindow]: { stepSeconds: number; steps: number } } = {
  hour: { stepSeconds: sampleSeconds, steps: 240 },
  day: { stepSeconds: 300, steps: 288 },
};

/**
 * Most series of one bucket; further ones are dropped. With every bucket full, 528 hashes of 256 fields take some 20 MB of Redis; an installation with
 * 40 views takes 2 MB.
 */
export const maxSeries = 256;
