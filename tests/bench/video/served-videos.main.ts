/** Playback and licences of one protected video over the log that the first argument names, as the two APIs serve them. */
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { contentKeyOf } from '../../../commands/video/protection/content-keys';
import { videoRoutes as commandRoutes } from '../../../commands/video/routes';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { type VideoAccessEvent, videoAccess, videoAccessStream } from '../../../domain/video/access/events';
import type { VideoId } from '../../../domain/video/ids';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { coalesceReads } from '../../../infra/adapters/eventstore/read/coalesced-reads';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { httpApp } from '../../../infra/server/http/routing/app';
import { listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { uploadReaderRules } from '../../../infra/server/video/uploads';
import { videoReaderRules } from '../../../infra/server/video/video-access';
import { videoRoutes as queryRoutes } from '../../../read-api/video/routes';
import { metadataOf } from '../../editor/documents/routes/fixture';
import { expectRight } from '../../support/domain/expect-right';
import { capturedLog } from '../../support/http/http-service';
import { callerKeys } from '../../support/http/internal-keys';
import { playableEvents, recordVideoEvents } from '../../support/video/record-events';
import { deliveryKeys } from '../../support/video/upload-stage';

const tenant = 'acme' as TenantId;
const videoId = 'v-1' as VideoId;
/** Of other videos, so that the access stream is that of a tenant in use. */
const others = 2_000;

const start = async (url: string): Promise<void> => {
  const log = capturedLog();
  const { signal } = new AbortController();
  const store = coalesceReads(openEventStore({ url, log, signal, replaced: () => undefined }));
  const vault = memoryVault();
  const clock = { now: () => new Date().toISOString() as Instant };
  const core = {
    store,
    clock,
    vault,
    deliveryKeys,
    commandMetrics: noCommandMetrics,
    warm: createExclusiveAggregates(),
  };
  const protect = (of: string): VideoAccessEvent => ({
    type: 'VideoProtectionChanged',
    data: { videoId: of as VideoId, protection: 'aes128' },
  });
  const events = [protect(videoId), ...Array.from({ length: others }, (_, number) => protect(`other-${number}`))];
  const stored = events.map((event) => ({
    id: randomUUID(),
    ...videoAccess.encode(event),
    metadata: metadataOf(tenant),
  }));
  expectRight(await store.append(videoAccessStream(tenant), 'any', stored));
  expectRight(await contentKeyOf(core, { tenant, videoId, generation: 1 }));
  await recordVideoEvents(store, videoId, playableEvents({ videoId, generation: 1 }));
  const rules = { rules: uploadReaderRules, videoRules: videoReaderRules };
  const source = { store, cache: createAggregateCache({ events: 2_000_000, longest: 1_000_000 }), ...rules };
  const random = { uuid: randomUUID, token: () => randomUUID() };
  const reading = { clock, random, deliveryKeys, edges: [], readPosition: async () => 0, source };
  const named = ['getVideoPlayback', 'getVideoKey'];
  const routes = [...queryRoutes(reading as never), ...commandRoutes({ ...core, random } as never)];
  const app = httpApp({
    ...{ name: 'bench', routes: routes.filter(({ operation }) => named.includes(operation)), callerKeys, log, signal },
    metrics: openMetrics('bench'),
    health: async () => ({ ready: true, parts: {} }),
    heartbeatMilliseconds: 1_000,
  });
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${port}` })}\n`);
};

void start(process.argv[2] ?? '');
