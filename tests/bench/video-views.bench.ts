/** How soon views are visible, and whether they are right: 10,000 viewers of one video, and one of them ten times. */
import { isLeft } from 'fp-ts/Either';
import { runViewCounting } from '../../commands/video/views/run-view-counting';
import type { VideoId } from '../../domain/video/ids';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../infra/adapters/postgres/pool';
import { createPostgresViewCounts } from '../../infra/adapters/postgres/video/view-counts';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { openRedis } from '../../infra/adapters/redis/connection';
import { createHeartbeatSink } from '../../infra/adapters/redis/video/heartbeat-sink';
import { createHeartbeatSource } from '../../infra/adapters/redis/video/heartbeat-source';
import { runProjector } from '../../projections/kernel/projector/projector';
import { viewDaysProjection } from '../../projections/video/view-days/project';
import { viewDaysView } from '../../projections/video/view-days/view';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers, valkeyForTests } from '../support/servers/shared-servers';
import { heartbeatOf, subjectOf, tenant } from '../support/video/view-counting';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';
import { fromCallers, report } from './measure';

const viewers = 10_000;
const videoId = 'v-1' as VideoId;
const longestMilliseconds = 120_000;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench-views');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const url = await freshDatabase();
  const readerUrl = expectRight(await migrate({ url, readerPassword: 'reads' }));
  const pool = openDurablePool({ url });
  const redis = openRedis((await valkeyForTests()).url);
  const stop = new AbortController();
  const log = recordingLog();
  const counts = createPostgresViewCounts(pool, { subjectOf });
  const heartbeats = createHeartbeatSource(redis);
  const counting = runViewCounting({ store, counts, heartbeats, log, signal: stop.signal });
  const writer = openPostgresWriter({ url });
  const projector = runProjector([viewDaysProjection], { store, log, metrics: noopMetrics, writerOf: () => writer });
  const reader = openPostgresReader({ url: readerUrl });
  const sink = createHeartbeatSink(redis);

  const readSums = async (): Promise<{ viewers: number; plays: number }> => {
    const order = [{ field: 'day', direction: 'asc' }] as const;
    const rows = await reader.page(viewDaysView, tenant, { where: { videoId }, order, limit: 10 });
    const sums = isLeft(rows) ? [] : rows.right.map((row) => row.sums);
    return {
      viewers: sums.reduce((total, one) => total + one.viewers, 0),
      plays: sums.reduce((total, one) => total + one.plays, 0),
    };
  };
  /** From the last heartbeat's answer until the numbers are read. */
  const measure = async (name: string, viewerIds: readonly string[], expected: { viewers: number; plays: number }) => {
    const began = performance.now();
    await fromCallers(64, viewerIds.length, async (index) => {
      const sent = expectRight(await sink.send(heartbeatOf({ videoId, viewerId: String(viewerIds[index]) })));
      if (sent !== 'received') throw new Error(sent);
    });
    const [sent, answered] = [performance.now(), performance.now() - began];
    let found = await readSums();
    while (found.plays < expected.plays && performance.now() - sent < longestMilliseconds) {
      await pause();
      found = await readSums();
    }
    report({ name: `videoViews.${name}.received`, value: (viewerIds.length * 1_000) / answered, unit: 'heartbeats/s' });
    report({ name: `videoViews.${name}.fresh`, value: (performance.now() - sent) / 1_000, unit: 's', baseline: 60 });
    const error = Math.abs(found.viewers - expected.viewers) + Math.abs(found.plays - expected.plays);
    report({ name: `videoViews.${name}.error`, value: error, unit: 'views' });
  };

  const everyone = Array.from({ length: viewers }, (_, index) => `viewer-${index}`);
  await measure('viewers10000', everyone, { viewers, plays: viewers });
  const tenTimes = Array.from({ length: 10 }, () => 'viewer-0');
  await measure('oneTenTimes', tenTimes, { viewers, plays: viewers + 10 });

  stop.abort();
  await Promise.all([counting, projector.close()]);
  await Promise.all([reader.close(), writer.close(), store.close(), pool.end()]);
  redis.disconnect();
  await node.stop();
  data.remove();
  await stopServers();
};
