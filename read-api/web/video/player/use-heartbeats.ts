/**
 * Reports what was watched: each 30 seconds while the film plays, when it stops, and when the page goes. What could not be sent counts in the next
 * report, under the same number, so that a report whose answer was lost is not counted twice.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { HeartbeatReceived, VideoHeartbeat } from '../../../../packages/client/src/schemas';
import type { Answer } from '../../kernel/api-client';
import { automatic } from './engine/engine';
import { afterReport, afterWatchEvent, initialWatchMeter, reportOf, type WatchEvent } from './watch-meter';

const usualSeconds = 30;
/** Pausing again and again is no reason to report each time. */
const shortestMilliseconds = 5_000;

/** Sends what was watched; it has to arrive also when the page goes. */
export type ReportWatched = (heartbeat: VideoHeartbeat) => Promise<Answer<HeartbeatReceived>>;

interface HeartbeatOptions {
  readonly videoId: string;
  readonly report: ReportWatched;
  readonly media: RefObject<HTMLMediaElement | null>;
  readonly playbackProof: string;
  readonly quality: string;
  /** The proof has ended: another playback begins. */
  readonly onProofRefused: () => void;
}

/** Watches one media element. `stop` sends what is left. */
const startHeartbeats = (
  media: HTMLMediaElement,
  { playbackProof }: Pick<HeartbeatOptions, 'playbackProof'>,
  latest: () => Pick<HeartbeatOptions, 'quality' | 'onProofRefused' | 'report'>,
): (() => void) => {
  let meter = initialWatchMeter;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  const leaving = new AbortController();
  const { signal } = leaving;

  const schedule = (seconds: number): void => {
    clearTimeout(timer);
    timer = signal.aborted ? undefined : setTimeout(() => void reportNow(), seconds * 1_000);
  };
  const reportNow = async (): Promise<void> => {
    schedule(usualSeconds);
    const [counted, current] = reportOf(meter, performance.now());
    meter = current;
    const isEmpty = counted.watchedSeconds + counted.bufferingEvents + counted.seekCount === 0;
    if (isSending || isEmpty) return;
    isSending = true;
    sentAt = performance.now();
    const { quality, onProofRefused, report } = latest();
    const positionSeconds = Math.floor(media.currentTime);
    const answer = await report({ ...counted, quality: quality || automatic, playbackProof, positionSeconds });
    isSending = false;
    if (answer.ok) {
      meter = afterReport(meter, counted);
      if (meter.playingSince !== undefined) schedule(answer.content.nextHeartbeatInSecs);
      return;
    }
    const { status, code } = answer.problem;
    if (code === 'playback-unknown') onProofRefused();
    // An earlier attempt of the number had arrived, or the service refuses these numbers for ever.
    else if (status === 409 || status === 400) meter = afterReport(meter, counted);
  };
  const note = (event: WatchEvent): void => {
    meter = afterWatchEvent(meter, event, performance.now());
  };
  const reportSoon = (): void => {
    if (performance.now() - sentAt > shortestMilliseconds) void reportNow();
  };
  const listeners: Readonly<Record<string, () => void>> = {
    playing: () => {
      note('playing');
      schedule(usualSeconds);
    },
    pause: () => {
      note('stopped');
      reportSoon();
    },
    ended: () => {
      note('stopped');
      void reportNow();
    },
    waiting: () => {
      // A seek and the beginning wait, too; those are no stalls.
      note(media.seeking || meter.playingSince === undefined ? 'stopped' : 'stalled');
    },
    seeking: () => note('sought'),
    emptied: () => note('stopped'),
  };
  for (const [event, act] of Object.entries(listeners)) media.addEventListener(event, act, { signal });
  if (!media.paused) note('playing');
  addEventListener('pagehide', () => void reportNow(), { signal });
  return () => {
    leaving.abort();
    clearTimeout(timer);
    note('stopped');
    void reportNow();
  };
};

export const useHeartbeats = (options: HeartbeatOptions): void => {
  const latest = useRef(options);
  latest.current = options;
  // Another proof is another playback, whose numbers begin again.
  useEffect(() => {
    const { current } = options.media;
    return current === null ? undefined : startHeartbeats(current, options, () => latest.current);
  }, [options.videoId, options.playbackProof]);
};
