/** Dependencies and parameters of queries of a document's content at a version. */
import { text } from '../../domain/kernel/codec';
import type { AccessReader } from '../../infra/server/documents/document-access';
import type { PieceUrls } from '../../infra/server/documents/piece-urls';
import type { SnapshotWorker } from '../../infra/server/documents/snapshots/snapshot-worker';
import type { VersionSnapshots } from '../../infra/server/documents/snapshots/version-snapshot';

export interface VersionReading {
  readonly access: AccessReader;
  readonly atVersion: VersionSnapshots;
  readonly pieceUrls: PieceUrls;
  readonly snapshotWorker: Pick<SnapshotWorker, 'run'>;
}

/** In a path or query. */
export const VersionNumber = text('VersionNumber', { maxLength: 15, pattern: '0|[1-9][0-9]*', examples: ['17'] });
