/** What the query side serves of the platform itself. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { ViewLedgerReader } from '../../infra/ports/view-ledger';
import type { Streaming } from '../kernel/streaming';
import { listCauses } from './causes';
import type { Explorer } from './explorer';
import { followLog } from './live';
import { findEvent, getStreamEvent } from './one-event';
import type { Operations } from './operations';
import { listProcesses } from './processes';
import { listStreamEvents } from './stream-events';
import { listStreams } from './streams';
import { listTimers } from './timers';
import { listViews } from './views';
import { listLog } from './whole-log';
import { listQueues } from './work';

export interface Platform {
  readonly explorer: Explorer;
  readonly operations: Operations;
  readonly ledger: ViewLedgerReader;
  readonly streaming: Streaming;
}

export const platformRoutes = ({ explorer, operations, ledger, streaming }: Platform): readonly BoundRoute[] => [
  bind(explorer, listStreams),
  bind(explorer, listStreamEvents),
  bind(explorer, getStreamEvent),
  bind(explorer, findEvent),
  bind(explorer, listCauses),
  bind(explorer, listLog),
  bind(streaming, followLog(explorer)),
  bind(operations, listProcesses),
  bind(operations, listTimers),
  bind(operations, listQueues),
  bind({ ledger, operators: operations.operators }, listViews),
];
