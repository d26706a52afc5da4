/** The query side's routes of the platform context. */

import type { MetricHistoryReader } from '../../infra/ports/runtime/metric-history';
import type { ViewStatusReader } from '../../infra/ports/views/view-status';
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { StreamService } from '../kernel/streams/stream-service';
import { listCauses } from './event-log/causation';
import { findEvent, getStreamEvent } from './event-log/event';
import { listEventTypes } from './event-log/event-types';
import { followLog } from './event-log/live-log';
import { listLog } from './event-log/log-page';
import { listStreamEvents } from './event-log/stream-events';
import { listStreams } from './event-log/streams';
import type { Explorer } from './explorer';
import { listDeadLetters } from './operations/dead-letters';
import { getJob, listJobs } from './operations/jobs';
import type { Operations } from './operations/operations';
import { listProcesses } from './operations/processes';
import { listQueues } from './operations/queues';
import { listTimers } from './operations/timers';
import { listViews } from './operations/views';
import { getOverview } from './overview/overview';

export interface Platform {
  readonly explorer: Explorer;
  readonly operations: Operations;
  readonly ledger: ViewStatusReader;
  readonly streaming: StreamService;
  readonly history: MetricHistoryReader;
}

export const platformRoutes = ({
  explorer,
  operations,
  ledger,
  streaming,
  history,
}: Platform): readonly BoundRoute[] => [
  bind(explorer, listStreams),
  bind(explorer, listStreamEvents),
  bind(explorer, getStreamEvent),
  bind(explorer, findEvent),
  bind(explorer, listCauses),
  bind(explorer, listLog),
  bind(explorer, listEventTypes),
  bind(streaming, followLog(explorer)),
  bind(operations, listProcesses),
  bind(operations, listTimers),
  bind(operations, listQueues),
  bind(operations, listJobs),
  bind(operations, getJob),
  bind(operations, listDeadLetters),
  bind({ ledger, operators: operations.operators }, listViews),
  bind({ ...operations, ledger, history }, getOverview),
];
