/** Webhooks with their routes, processes, a real work queue and real workers, over a log and views in memory. Its clock stands still. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { runProcesses } from '../../../commands/kernel/processes/run-processes';
import { type RunningWorkers, runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import { context as webhooks } from '../../../commands/webhooks/processes';
import { webhookRoutes as commandRoutes } from '../../../commands/webhooks/routes';
import { type AlertSubjectId, alertStream } from '../../../domain/identity/detection/alert/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../../infra/adapters/kms/memory-keystore';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import { isAllowedUrl } from '../../../infra/adapters/remote/guarded-fetch';
import { openPostWebhook } from '../../../infra/adapters/remote/post-webhook';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { Identity, JsonAnswer } from '../../../infra/server/http/routing/route';
import { collectAllChanges } from '../../../projections/kernel/projector/view-batch';
import { context as projections } from '../../../projections/webhooks/context';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { webhookRoutes as queryRoutes } from '../../../read-api/webhooks/context';
import { metadataOf } from '../../editor/documents/routes/fixture';
import { memoryCheckpoints, memoryLeases, memoryTimers } from '../../kernel/processes/memory-stores';
import { historyOf } from '../../support/domain/event-history';
import { expectRight } from '../../support/domain/expect-right';
import { freshDatabase } from '../../support/servers/shared-servers';
import { recordVideoEvents } from '../../support/video/record-events';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

interface Call {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the caller. */
  readonly tenantId?: string;
}

interface Answered {
  readonly status: number;
  readonly body: { readonly code?: string; readonly items?: readonly Row[]; readonly [field: string]: unknown };
}

type Row = { readonly [field: string]: unknown };

const identityOf = (tenantId: string): Identity => ({
  ...{ tenantId, scopes: ['webhooks:read', 'webhooks:write'], tokenId: 'jti-1', principalType: 'HUMAN' },
  principalId: 'ada' as PrincipalId,
});

export interface StageOptions {
  readonly allowPrivate?: boolean;
  readonly milliseconds?: number;
}

export const openWebhookStage = async ({ allowPrivate = true, milliseconds = 2_000 }: StageOptions = {}) => {
  const database = await freshDatabase();
  expectRight(await migrate({ url: database, readerPassword: 'r'.repeat(32) }));
  const pool = openDurablePool({ url: database });
  const work = createPostgresWorkQueue(pool);
  const store = openMemoryEventStore();
  const kms = memoryKms(randomBytes(32));
  let now = '2099-01-31T12:00:00.000Z' as Instant;
  const clock = { now: () => now };
  const log = recordingLog();
  const around = { store, clock, log, metrics: noopMetrics, commandMetrics: noCommandMetrics };
  const { writer, reader: views } = openMemoryViews();
  const reading = { views, positions: createViewPositions(views), cursors: cursorsSignedWith('k'.repeat(43)) };
  const random = { uuid: randomUUID, token: () => 'token' };
  const deps = { ...around, random, kms, isAllowedUrl: (url: URL) => isAllowedUrl(url, allowPrivate) };
  const routes = [...commandRoutes(deps), ...queryRoutes(reading)];
  const processes = runProcesses(Object.values(webhooks.processes), {
    ...around,
    ...{ work, checkpoints: memoryCheckpoints(), leases: memoryLeases(), timers: memoryTimers({ now: Date.now() }) },
  });

  let applied: bigint | null = null;
  const project = async (): Promise<void> => {
    const events = [];
    for await (const event of store.readAll({ after: applied, filter: { streams: ['webhooks.'] } })) events.push(event);
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

  const call = async (operation: string, { tenantId = 'acme', ...input }: Call = {}): Promise<Answered> => {
    await project();
    const route = routes.find((one) => one.operation === operation) ?? assert.fail(operation);
    const { signal } = new AbortController();
    const request = { params: {}, query: {}, body: {}, headers: {}, requestId: 'r-1', target: '/', ...input, signal };
    const answered = await route.handle({ ...request, identity: identityOf(tenantId) });
    if ('problem' in answered) return { status: answered.problem.status, body: { ...answered.problem } };
    return { status: (answered as JsonAnswer).status, body: (answered as JsonAnswer).body as Answered['body'] };
  };

  const started: RunningWorkers[] = [];
  /** Whether workers lose what they did once it is done. */
  const given = { diesAfterSending: false };
  let sent = 0;
  const issuer = {
    issuer: 'https://septet.example',
    kms,
    postWebhook: openPostWebhook({ allowPrivate, milliseconds }),
  };
  const adapters = { ...around, kms, asIssuer: issuer } as unknown as Parameters<
    (typeof webhooks.queues)[number]['open']
  >[0];
  const startWorkers = (): void => {
    const handlers = webhooks.queues.map(({ open, ...settings }) => {
      const { perform } = open(adapters);
      const performed: typeof perform = async (job, run) => {
        const results = await perform(job, run);
        if (settings.queue === 'webhook-attempts') sent += 1;
        if (!given.diesAfterSending || settings.queue !== 'webhook-attempts') return results;
        return new Promise(() => undefined);
      };
      return { ...settings, graceMilliseconds: 100, perform: performed };
    });
    started.push(runWorkers(handlers, { ...around, work, pollMilliseconds: 50, drainMilliseconds: 100 }));
  };
  const stopWorkers = async (): Promise<void> => {
    for (const workers of started.splice(0)) await workers.close();
  };

  /** As if the time of the delivery's next attempt had come, once that attempt waits. */
  const passTime = (deliveryId: unknown): Promise<void> =>
    eventually(async () => {
      const { rowCount } = await pool.query(
        `update septet.work_jobs set due = clock_timestamp()
         where state = 'waiting' and due > clock_timestamp() + interval '1 day' and payload->>'deliveryId' = $1`,
        [deliveryId],
      );
      assert.equal(rowCount, 1);
    });

  return {
    given,
    call,
    kms,
    log,
    sent: () => sent,
    startWorkers,
    stopWorkers,
    store,
    /** Recorded as its processing does. */
    recordReady: (videoId: string) =>
      recordVideoEvents(store, videoId as VideoId, [
        { type: 'VideoReady', data: { videoId: videoId as VideoId, generation: 1, manifestSha256: 'a'.repeat(64) } },
      ]),
    /** Recorded as detection does. */
    raiseAlert: async (): Promise<void> => {
      const line = historyOf('identity').find(({ type }) => type === 'identity.AlertRaised.v1');
      assert.ok(line !== undefined, 'the history has an alert');
      const stream = alertStream('acme' as TenantId, 'subject-1' as AlertSubjectId);
      const event = { id: randomUUID(), ...line, metadata: metadataOf('acme' as TenantId) };
      expectRight(await store.append(stream, 'any', [event]));
    },
    setNow: (instant: string): void => {
      now = instant as Instant;
    },
    passTime,
    deliveriesOf: async (endpointId: string): Promise<readonly Row[]> =>
      (await call('listWebhookDeliveries', { params: { endpointId }, query: { limit: 50 } })).body.items ?? [],
    endpoint: async (endpointId: string): Promise<Row> =>
      (await call('getWebhookEndpoint', { params: { endpointId } })).body,
    close: async (): Promise<void> => {
      await Promise.all([stopWorkers(), processes.close()]);
      await Promise.all([store.close(), pool.end()]);
    },
  };
};

export type WebhookStage = Awaited<ReturnType<typeof openWebhookStage>>;
