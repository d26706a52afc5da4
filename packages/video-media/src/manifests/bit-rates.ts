/** Bit rates of a packaged track as manifests name them, measured (RFC 8216, section 4.1). */
import type { PackagedTrack } from '../mp4/package-track';

export interface BitRates {
  /** Bits per second, headers of segments included. */
  readonly average: number;
  /** Of the largest run of segments that lasts 0.5 to 1.5 target durations. */
  readonly peak: number;
}

export const longestSegmentSeconds = ({ segments, timescale }: PackagedTrack): number =>
  segments.reduce((longest, { durationTicks }) => Math.max(longest, durationTicks), 0) / timescale;

/** The target duration of a playlist: no segment, rounded, is longer. */
export const targetDuration = (track: PackagedTrack): number => Math.max(1, Math.round(longestSegmentSeconds(track)));

export const measureBitRates = (track: PackagedTrack): BitRates => {
  const { segments, timescale } = track;
  const target = targetDuration(track);
  const totalTicks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
  const totalBytes = segments.reduce((sum, { size }) => sum + size, 0);
  const average = Math.ceil((totalBytes * 8 * timescale) / Math.max(1, totalTicks));
  let peak = average;
  for (const start of segments.keys()) {
    let [ticks, bytes] = [0, 0];
    for (const { durationTicks, size } of segments.slice(start)) {
      ticks += durationTicks;
      bytes += size;
      if (ticks / timescale > target * 1.5) break;
      if (ticks / timescale >= target * 0.5) peak = Math.max(peak, Math.ceil((bytes * 8 * timescale) / ticks));
    }
  }
  return { average, peak };
};
