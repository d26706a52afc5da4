/** What documents are owned with. */
import type { Clock } from '../../../infra/ports/clock';
import type { DocumentOwners } from '../../../infra/ports/document-owners';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/log';
import type { Random } from '../../../infra/ports/random';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import type { ClientIds } from './client-ids';
import type { OwnerFigures } from './figures';
import type { Access, SnapshotStore } from './needs';
import type { OwnerSettings } from './settings';

export interface OwnerDeps {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly pages: StreamReader;
  readonly owners: DocumentOwners;
  readonly access: Access;
  readonly snapshots: SnapshotStore;
  readonly clientIds: ClientIds;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly figures: OwnerFigures;
  readonly settings: OwnerSettings;
  /** Recorded with every change of owner. */
  readonly processId: string;
}
