/** Metrics of sessions. */
import type { OutcomeStatus } from '../../../domain/editor/outcome';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { RateLimitScope } from './rate-limits';

export interface SessionMetrics {
  /** Returns the function to call when the session ends. */
  readonly joined: () => () => void;
  readonly refused: (code: string) => void;
  readonly snapshot: (rebase: boolean) => void;
  /** Frames were merged for a slow client. */
  readonly merged: () => void;
  readonly settled: (status: OutcomeStatus, count: number) => void;
  readonly acknowledged: (seconds: number) => void;
  readonly limited: (what: 'operations' | 'presence' | 'sockets', of: RateLimitScope | 'unanswered') => void;
}

export const sessionMetrics = (metrics: Metrics): SessionMetrics => {
  const sessions = metrics.gauge({ name: 'editor_sessions', help: 'Clients that have a document open.' });
  const named = (name: string, help: string, label: string) => metrics.counter({ name, help, labels: [label] });
  const refusals = named('editor_refusals_total', 'What clients were refused, by reason.', 'code');
  const snapshots = named('editor_snapshots_told_total', 'Snapshots sent to clients, by reason.', 'why');
  const outcomes = named('editor_outcomes_total', 'Operations by what became of them.', 'status');
  const limited = metrics.counter({
    name: 'editor_rate_limited_total',
    labels: ['what', 'of'],
    help: 'Refusals by rate limits, by what was limited and its scope.',
  });
  const merged = metrics.counter({
    name: 'editor_merged_frames_total',
    help: 'Frames merged for clients that are behind.',
  });
  const acknowledged = metrics.histogram({
    name: 'editor_acknowledged_seconds',
    help: 'Time from receiving a batch until the log has it.',
  });
  let count = 0;
  const change = (by: number): void => {
    count += by;
    sessions(count);
  };
  return {
    joined: () => {
      change(1);
      return () => change(-1);
    },
    refused: (code) => refusals({ code }),
    snapshot: (rebase) => snapshots({ why: rebase ? 'rebase' : 'join' }),
    merged: () => merged(),
    settled: (status, by) => outcomes({ status }, by),
    acknowledged: (seconds) => acknowledged(seconds),
    limited: (what, of) => limited({ what, of }),
  };
};
