/** Dependencies of document owners. */

import type { DocumentLeases } from '../../../infra/ports/editor/document-leases';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Random } from '../../../infra/ports/runtime/random';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import type { AccessSource, SnapshotStore } from '../ports';
import type { ClientIds } from './client-ids';
import type { OwnerMetrics } from './metrics';
import type { OwnerSettings } from './settings';

export interface OwnerDeps {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly pages: StreamReader;
  readonly leases: DocumentLeases;
  readonly access: AccessSource;
  readonly snapshots: SnapshotStore;
  readonly clientIds: ClientIds;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: OwnerMetrics;
  readonly settings: OwnerSettings;
  /** Recorded in every `OwnershipTaken` event. */
  readonly processId: string;
}
