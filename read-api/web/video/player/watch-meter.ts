/** Counts what heartbeats report: seconds watched by the clock, whatever the speed, and how often the film stalled or was sought in. Pure. */

export interface WatchMeter {
  /** Undefined: it is not playing. In milliseconds. */
  readonly playingSince: number | undefined;
  readonly watchedMilliseconds: number;
  readonly bufferingEvents: number;
  readonly seekCount: number;
  /** Of the next report. */
  readonly sequence: number;
}

export const initialWatchMeter: WatchMeter = {
  playingSince: undefined,
  watchedMilliseconds: 0,
  bufferingEvents: 0,
  seekCount: 0,
  sequence: 0,
};

export interface WatchReport {
  readonly watchedSeconds: number;
  readonly bufferingEvents: number;
  readonly seekCount: number;
  readonly sequence: number;
}

/** The service takes no more in one report. */
export const mostSeconds = 40;

const settled = (meter: WatchMeter, now: number): WatchMeter => {
  const { playingSince, watchedMilliseconds } = meter;
  if (playingSince === undefined) return meter;
  return { ...meter, playingSince: now, watchedMilliseconds: watchedMilliseconds + Math.max(0, now - playingSince) };
};

export type WatchEvent = 'playing' | 'stopped' | 'stalled' | 'sought';

export const afterWatchEvent = (meter: WatchMeter, event: WatchEvent, now: number): WatchMeter => {
  const before = settled(meter, now);
  switch (event) {
    case 'playing':
      return { ...before, playingSince: now };
    case 'stopped':
      return { ...before, playingSince: undefined };
    case 'stalled':
      return { ...before, playingSince: undefined, bufferingEvents: before.bufferingEvents + 1 };
    case 'sought':
      return { ...before, seekCount: before.seekCount + 1 };
  }
};

/** Whole seconds; the rest, and what is more than one report takes, counts in the next. */
export const reportOf = (meter: WatchMeter, now: number): readonly [WatchReport, WatchMeter] => {
  const current = settled(meter, now);
  const watchedSeconds = Math.min(mostSeconds, Math.floor(current.watchedMilliseconds / 1_000));
  const { bufferingEvents, seekCount, sequence } = current;
  return [{ watchedSeconds, bufferingEvents, seekCount, sequence }, current];
};

/** The report was received, or one of the same number before it. */
export const afterReport = (meter: WatchMeter, report: WatchReport): WatchMeter => ({
  ...meter,
  watchedMilliseconds: meter.watchedMilliseconds - report.watchedSeconds * 1_000,
  bufferingEvents: meter.bufferingEvents - report.bufferingEvents,
  seekCount: meter.seekCount - report.seekCount,
  sequence: report.sequence + 1,
});
