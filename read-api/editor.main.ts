/** Queries about documents with what they are made of: who may see them, and the log of their content. */
import { isLeft } from 'fp-ts/Either';
import { openAbout } from '../commands/editor/access/access';
import type { Place } from '../commands/editor/owner/needs';
import { emptySnapshot } from '../commands/editor/snapshots/empty';
import { openShown } from '../commands/editor/snapshots/shown';
import { decodedEvent } from '../commands/editor/snapshots/spans';
import { placeAfter } from '../commands/editor/snapshots/version-place';
import { logStream } from '../domain/editor/streams';
import type { TenantId } from '../domain/kernel/ids';
import { blobVariables, openBlobs } from '../infra/blobs/open';
import { type ConfigOf, optional, variables } from '../infra/config';
import { sharingReads } from '../infra/eventstore/shared-reads';
import { openStreamPages } from '../infra/eventstore/stream-pages';
import type { BoundRoute } from '../infra/http/route';
import type { EventStore } from '../infra/ports/event-store';
import type { StreamReader } from '../infra/ports/stream-pages';
import type { DocumentLog, OperationsReading } from './editor/operations';
import { editorRoutes } from './editor/routes';
import type { SnapshotReading } from './editor/snapshot';
import type { Reading } from './kernel/query';

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

/** Where pieces of snapshots are; left out, snapshots are told of without them. */
export const editorVariables = { ...blobVariables, PUBLIC_URL: optional(variables.PUBLIC_URL) };

const piecesOf = (config: ConfigOf<typeof editorVariables>): SnapshotReading['pieces'] => {
  const blobs = openBlobs(config, `${config.PUBLIC_URL ?? ''}/blobs`);
  if (isLeft(blobs)) return undefined;
  const shown = openShown(blobs.right);
  return (tenantId, snapshot) => shown.of(tenantId as TenantId, snapshot);
};

export const empty: SnapshotReading['empty'] = (tenantId, documentId) => emptySnapshot(placeOf(tenantId, documentId));

interface EditorOptions {
  readonly config: ConfigOf<typeof editorVariables> & { readonly EVENTSTORE_URL: string };
  readonly store: EventStore;
  readonly reading: Reading;
}

export const openEditor = ({ config, store, reading }: EditorOptions) => {
  const pages = openStreamPages({ url: config.EVENTSTORE_URL });
  const asked = { ...documentReading(reading, store, pages.stream), pieces: piecesOf(config), empty };
  const routes: readonly BoundRoute[] = editorRoutes(asked);
  return { routes, close: pages.close };
};
