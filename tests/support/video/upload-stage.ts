/** Routes of videos over object storage that a test brings, with the log, the keys of titles and the view in memory. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, left, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import type { BlockingDeps } from '../../../commands/video/blocked-recordings';
import type { LicenseDeps } from '../../../commands/video/protection/license';
import { videoRoutes as commandRoutes } from '../../../commands/video/routes';
import type { SidecarDeps } from '../../../commands/video/sidecars/sidecar-subject';
import type { VideoUploadDeps } from '../../../commands/video/upload-source';
import { createVideoLookup } from '../../../commands/video/views/playback-caller';
import type { HeartbeatDeps } from '../../../commands/video/views/record-heartbeat';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore, openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import type { Answer, Identity, JsonAnswer } from '../../../infra/server/http/routing/route';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import { uploadReaderRules } from '../../../infra/server/video/uploads';
import { videoReaderRules } from '../../../infra/server/video/video-access';
import { collectAllChanges } from '../../../projections/kernel/projector/view-batch';
import { context as projections } from '../../../projections/video/context';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { videoRoutes as queryRoutes } from '../../../read-api/video/routes';
import { expectRight } from '../domain/expect-right';
import { openMemoryObjects } from './memory-objects';

export const caller = (
  principalId: string,
  { tenantId = 'acme', scopes = ['videos:read', 'videos:write'] as readonly string[] } = {},
): Identity => ({
  ...{ tenantId, scopes, tokenId: 'jti-1', principalType: 'HUMAN' },
  principalId: principalId as PrincipalId,
});

interface Call {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

export interface Answered {
  readonly status: number;
  readonly body: { readonly code?: string; readonly detail?: string; readonly [field: string]: unknown };
}

export const deliveryKeys: DeliveryKeys = [{ id: 'k1', secret: 's'.repeat(43) }];

export const openUploadStage = (
  uploaded: VideoUploadDeps['blobs'],
  receiving: Partial<HeartbeatDeps & Pick<VideoUploadDeps, 'joinMilliseconds'>> = {},
) => {
  const plain = openMemoryEventStore();
  const objects = openMemoryObjects();
  const blobs: BlockingDeps['blobs'] & SidecarDeps['blobs'] = {
    ...uploaded,
    ...objects.blobs,
    copy: async () => left({ kind: 'rejection', code: 'blob-unknown', detail: 'Nothing is copied here.' }),
  };
  const vault = memoryVault();
  const store = openEncryptingStore(plain, vault);
  const { writer, reader: views } = openMemoryViews();
  let now = '2026-01-31T12:00:00.000Z' as Instant;
  const deps: VideoUploadDeps & BlockingDeps & LicenseDeps & HeartbeatDeps & SidecarDeps = {
    ...{ store, blobs, vault, deliveryKeys, commandMetrics: noCommandMetrics },
    ...{ heartbeats: undefined, findVideo: createVideoLookup({ store }), ...receiving },
    clock: { now: () => now },
    random: { uuid: randomUUID, token: () => 'token' },
  };
  const reading = {
    readPosition: async () => 0,
    ...{ views, blobs, positions: createViewPositions(views), cursors: cursorsSignedWith('k'.repeat(43)) },
    ...{ clock: deps.clock, random: deps.random, deliveryKeys, edges: [] },
    jobs: { isServed: async () => right(true), findByKey: async () => right(undefined) },
    source: {
      ...{ store: openRedactingStore(plain), cache: createAggregateCache() },
      ...{ rules: uploadReaderRules, videoRules: videoReaderRules },
    },
  };
  const routes = [...commandRoutes(deps), ...queryRoutes(reading)];

  const answer = (operation: string, identity: Identity, input: Call = {}): Promise<Answer> => {
    const route = routes.find((one) => one.operation === operation) ?? assert.fail(operation);
    const { signal } = new AbortController();
    const request = { params: {}, query: {}, body: {}, headers: {}, ...input, identity, requestId: 'r-1', target: '/' };
    return route.handle({ ...request, signal });
  };

  const call = async (operation: string, identity: Identity, input: Call = {}): Promise<Answered> => {
    const answered = await answer(operation, identity, input);
    if ('problem' in answered) return { status: answered.problem.status, body: { ...answered.problem } };
    return { status: (answered as JsonAnswer).status, body: (answered as JsonAnswer).body as Answered['body'] };
  };

  let applied: bigint | null = null;
  const project = async (): Promise<void> => {
    const events = [];
    for await (const event of store.readAll({ after: applied, filter: { streams: ['video.'] } })) events.push(event);
    const last = events.at(-1);
    if (last === undefined) return;
    for (const projection of projections) {
      const { number: generation } = expectRight(await writer.open(projection.view));
      const { changes, poison } = collectAllChanges(projection, events);
      assert.equal(poison, undefined);
      const batch = { generation, after: applied, position: last.position, live: true, changes: changes as never };
      assert.ok(isRight(await writer.apply(projection.view, batch)));
    }
    applied = last.position;
  };

  return {
    ...{ answer, call, project, store, vault, deps, objects: objects.stored },
    setNow: (instant: string): void => {
      now = instant as Instant;
    },
    eventsOf: async (stream: string): Promise<readonly string[]> =>
      expectRight(await plain.read(stream)).map(({ type }) => type),
  };
};
