/** A process that answers heartbeats: `ours`, or bare express with the same bytes. Prints where it listens. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createVideoLookup } from '../../../commands/video/views/playback-caller';
import { recordHeartbeat } from '../../../commands/video/views/record-heartbeat';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openRedis } from '../../../infra/adapters/redis/connection';
import { createHeartbeatSink } from '../../../infra/adapters/redis/video/heartbeat-sink';
import { bind } from '../../../infra/server/http/routing/route';
import { startHttpService } from '../../support/http/http-service';
import { benchKeys, benchVideo, sharedEvent, uploadedEvent } from './heartbeat-requests';

const startOurs = async (redisUrl: string): Promise<number> => {
  const store = openMemoryEventStore();
  await store.append(`video.video-bench.${benchVideo}`, 'no-stream', [uploadedEvent]);
  await store.append('video.access-bench.library', 'no-stream', [sharedEvent]);
  const deps = {
    ...{ store, commandMetrics: noCommandMetrics, deliveryKeys: benchKeys, findVideo: createVideoLookup({ store }) },
    heartbeats: createHeartbeatSink(openRedis(redisUrl)),
    clock: { now: () => new Date().toISOString() as Instant },
    random: { uuid: randomUUID, token: () => '' },
  };
  return (await startHttpService([bind(deps, recordHeartbeat)])).port;
};

const startBare = (): Promise<number> =>
  new Promise((resolve) => {
    const app = express();
    app.use(express.json());
    app.post('/api/videos/:videoId/heartbeat', (_request, response) => {
      response.status(202).json({ nextHeartbeatInSecs: 30 });
    });
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const main = async (): Promise<void> => {
  const [, , kind, redisUrl = ''] = process.argv;
  const port = await (kind === 'ours' ? startOurs(redisUrl) : startBare());
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
};

void main();
