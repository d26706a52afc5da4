/** The routes about earlier versions, over a log and object storage in memory. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { duplicateRoute } from '../../../commands/editor/document/duplicate';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { operationLog } from '../../../domain/editor/operation-log/events';
import { emptyScene, iterateNodes } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { streamPagesOf } from '../../../infra/adapters/eventstore/read/stream-pages';
import { openAccessReader } from '../../../infra/server/documents/document-access';
import { openPieceStore } from '../../../infra/server/documents/piece-store';
import { loadSnapshot } from '../../../infra/server/documents/snapshots/snapshot-reader';
import { openVersionSnapshots } from '../../../infra/server/documents/snapshots/version-snapshot';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { compareVersions } from '../../../read-api/editor/compare-versions';
import { openVersion } from '../../../read-api/editor/open-version';
import { startHttpService } from '../../support/http/http-service';
import { ada, metadataOf, startDocuments } from '../documents/routes/fixture';
import { memoryPieceBlobs, runSnapshotWorkHere } from '../snapshots/memory-storage';

const tenant = 'acme' as TenantId;
export const clientId = 'client0000';

const operation = (documentId: string, version: number, fields: object) => ({
  opId: `${clientId}-${version}`,
  documentId,
  actorId: 'ada',
  clientSeq: version,
  baseVersion: version - 1,
  createdAt: '2026-01-31T12:00:00.000Z',
  ...fields,
});

export const created = (number: number) => ({
  type: 'createNode',
  targetIds: [`${clientId}:${number}`],
  payload: {
    nodes: [
      { id: `${clientId}:${number}`, type: 'rect', parentId: null, orderKey: `a${number}`, properties: { opacity: 1 } },
    ],
  },
});

export const edits = [
  created(1),
  created(2),
  { type: 'setProperties', targetIds: [], payload: { nodes: { [`${clientId}:1`]: { set: { opacity: 0.5 } } } } },
  { type: 'deleteNode', targetIds: [`${clientId}:2`], payload: { deleted: [`${clientId}:2`] } },
  created(3),
];

export const stage = async () => {
  const documents = await startDocuments();
  const { store } = documents;
  const stored = memoryPieceBlobs();
  const pages = streamPagesOf(store);
  const snapshotWorker = { run: runSnapshotWorkHere(stored) };
  const pieceUrls = {
    of: async (_tenant: TenantId, { compressedSceneKey: key }: Snapshot) =>
      right([{ key, base64: Buffer.from(stored.blobs.get(key) ?? []).toString('base64') }]),
  };
  const clock = { now: () => new Date().toISOString() as Instant };
  const random = { uuid: randomUUID, token: () => randomUUID() };
  const about = openAccessReader(store);
  let milliseconds = 0;
  const later = (passed: number): void => {
    milliseconds += passed;
  };
  const atVersion = openVersionSnapshots({ pages, worker: snapshotWorker, now: () => milliseconds });
  const reading = { access: about, atVersion, pieceUrls, snapshotWorker };
  const service = await startHttpService([
    bind(
      {
        store,
        pages,
        commandMetrics: noCommandMetrics,
        clock,
        random,
        snapshotWorker,
        snapshots: { atVersion },
        access: { read: about },
      },
      duplicateRoute,
    ),
    bind(reading, openVersion),
    bind(reading, compareVersions),
  ]);
  const request = async (line: string, identity: Identity = ada, body?: object, key: string = randomUUID()) => {
    const [method = '', path = ''] = line.split(' ');
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const response = await service.call(path, { method, identity, headers, ...sent });
    return { status: response.status, body: (await response.json()) as { readonly [field: string]: never } };
  };
  const write = async (documentId: string, from: number, some: readonly object[]): Promise<void> => {
    for (const [index, edit] of some.entries()) {
      const version = from + index;
      const batch = { fromVersion: version, toVersion: version, clientId, lastClientSeq: version };
      const data = { documentId, epoch: 1, ...batch, operations: [operation(documentId, version, edit)] };
      const event = operationLog.encode({ type: 'OperationsCommitted', data } as never);
      await documents.append(`editor.log-acme.${documentId}`, event, metadataOf('acme'));
    }
  };
  const sceneOf = async (snapshot: Snapshot): Promise<readonly string[]> => {
    const scene = emptyScene();
    assert.ok(isRight(await loadSnapshot(openPieceStore(stored, tenant), snapshot, scene)));
    return Array.from(iterateNodes(scene), ({ id, properties }) => `${id} ${String(properties.opacity)}`).sort();
  };
  const close = async (): Promise<void> => void (await Promise.all([documents.close(), service.close()]));
  return { documents, request, write, sceneOf, stored, later, close };
};
