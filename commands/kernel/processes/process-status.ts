/** Status of each process, for health answers, logs and metrics. */
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { UndeliverableEvent } from './process-binding';
import type { SendOutcome } from './send-command';

/** `standby`: another instance runs it. `stopped`: it cannot handle an event; an operator has to act. */
export type Phase = 'waiting' | 'standby' | 'catching-up' | 'live' | 'stopped';

export interface ProcessStatus {
  readonly process: string;
  readonly phase: Phase;
  /** Everything up to here is answered; decimal. */
  readonly position: string | null;
  /** How long ago the oldest event was recorded that has come in here and is not answered yet. */
  readonly lagSeconds: number;
  /** Events received but not handled yet; null while it reads past events, whose number is unknown. */
  readonly lagEvents: number | null;
  readonly detail?: string;
}

export interface Tracker {
  readonly status: () => ProcessStatus;
  readonly phase: (phase: Phase, detail?: string) => void;
  readonly reached: (position: bigint | null, lag: { readonly seconds: number; readonly events: number }) => void;
  readonly answered: () => void;
  readonly sent: (outcome: SendOutcome['kind']) => void;
  readonly fired: (lateSeconds: number) => void;
  readonly defect: (defect: UndeliverableEvent) => void;
}

const labels = ['process'];
const createProcessMetrics = (metrics: Metrics) => ({
  answered: metrics.counter({ name: 'process_events_total', help: 'Events answered.', labels }),
  sent: metrics.counter({
    name: 'process_commands_total',
    help: 'Commands sent, by outcome.',
    labels: ['process', 'outcome'],
  }),
  lag: metrics.gauge({ name: 'process_lag_seconds', help: 'Age of the oldest event not answered yet.', labels }),
  stopped: metrics.gauge({ name: 'process_stopped', help: '1 when an event cannot be answered.', labels }),
  late: metrics.histogram({ name: 'process_timer_late_seconds', help: 'How late timers fired.', labels }),
});

export const openTracker = (process: string, { log, metrics }: { log: Log; metrics: Metrics }): Tracker => {
  const processMetrics = createProcessMetrics(metrics);
  let status: ProcessStatus = { process, phase: 'waiting', position: null, lagSeconds: 0, lagEvents: null };
  const phase: Tracker['phase'] = (next, detail) => {
    const { phase: before, detail: _, ...rest } = status;
    const { position } = rest;
    status = { ...rest, phase: next, ...(detail === undefined ? {} : { detail }) };
    if (next === before) return;
    processMetrics.stopped(next === 'stopped' ? 1 : 0, { process });
    log.info({ process, phase: next, before, detail, position }, 'process changed phase');
  };
  return {
    status: () => status,
    phase,
    reached: (position, { seconds, events }) => {
      const lag = { lagSeconds: seconds, lagEvents: status.phase === 'live' ? events : null };
      status = { ...status, position: position?.toString() ?? null, ...lag };
      processMetrics.lag(seconds, { process });
    },
    answered: () => processMetrics.answered({ process }),
    sent: (outcome) => processMetrics.sent({ process, outcome }),
    fired: (lateSeconds) => processMetrics.late(lateSeconds, { process }),
    defect: ({ stored: { id, stream, revision, type }, reason }) => {
      log.error(
        { process, eventId: id, stream, revision, type, reason },
        'an event cannot be answered: the process stops',
      );
      phase('stopped', `${type} at ${stream} revision ${revision} (event ${id}): ${reason}`);
    },
  };
};
