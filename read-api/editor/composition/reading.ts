/** Queries about documents with what they are made of: who may see them, and the log of their content. */
import { isLeft } from 'fp-ts/Either';
import { openAbout } from '../../../commands/editor/access/access';
import type { Place } from '../../../commands/editor/owner/needs';
import { emptySnapshot } from '../../../commands/editor/snapshots/empty';
import { openShown } from '../../../commands/editor/snapshots/shown';
import { decodedEvent } from '../../../commands/editor/snapshots/spans';
import { placeAfter } from '../../../commands/editor/snapshots/version-place';
import { logStream } from '../../../domain/editor/streams';
import type { TenantId } from '../../../domain/kernel/ids';
import { type blobVariables, openBlobs } from '../../../infra/blobs/open';
import type { ConfigOf } from '../../../infra/config';
import { sharingReads } from '../../../infra/eventstore/shared-reads';
import type { EventStore } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import type { Reading } from '../../kernel/query';
import type { DocumentLog, OperationsReading } from '../operations';
import type { SnapshotReading } from '../snapshot';

const spanOf: DocumentLog['spanOf'] = (stored) => {
  const { type, data } = decodedEvent(stored);
  const { revision } = stored;
  if (type === 'OperationsCommitted') return { revision, toVersion: data.toVersion, operations: data.operations };
  return type === 'ContentCopied' ? { revision, toVersion: data.snapshot.version, operations: [] } : undefined;
};

const placeOf = (tenantId: string, documentId: string) => ({ tenant: tenantId, documentId }) as Place;

/** Of tenants and ids that were decoded at the door. */
export const documentReading = (reading: Reading, store: EventStore, pages: StreamReader): OperationsReading => {
  const about = openAbout(sharingReads(store));
  return {
    ...reading,
    access: (tenantId, documentId) => about(placeOf(tenantId, documentId)),
    log: {
      ...{ pages, spanOf, placeAfter: (stream, version) => placeAfter(pages, stream, version) },
      streamOf: (tenantId, documentId) => {
        const place = placeOf(tenantId, documentId);
        return logStream(place.tenant, place.documentId);
      },
    },
  };
};

interface PiecesConfig extends ConfigOf<typeof blobVariables> {
  readonly PUBLIC_URL?: string;
}

/** Undefined: object storage is not configured, so snapshots are described without their pieces. */
export const piecesIn = (config: PiecesConfig): SnapshotReading['pieces'] => {
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  if (isLeft(blobs)) return undefined;
  const shown = openShown(blobs.right);
  return (tenantId, snapshot) => shown.of(tenantId as TenantId, snapshot);
};

export const empty: SnapshotReading['empty'] = (tenantId, documentId) => emptySnapshot(placeOf(tenantId, documentId));
