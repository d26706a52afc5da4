/** One of several copies of the workflow service over one log and one database: coordinator, dispatcher and runners' routes, on loopback. */
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { openGraphs } from '../../../commands/workflow/graphs';
import { runnerPart } from '../../../commands/workflow/runners/open-runners';
import { type RunsAdapters, runPart } from '../../../commands/workflow/runs/open-runs';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import type { Instant } from '../../../domain/kernel/codec';
import { claimBounds } from '../../../domain/workflow/limits';
import { runnerProtocol } from '../../../domain/workflow/protocol/runner';
import { groupRules } from '../../../domain/workflow/run/concurrency-group';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresActiveRuns } from '../../../infra/adapters/postgres/workflow/active-runs';
import { createPostgresConcurrencyGroups } from '../../../infra/adapters/postgres/workflow/concurrency-groups';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import { openPostgresLogStore } from '../../../infra/adapters/postgres/workflow/log-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import { webSocketEndpoint } from '../../../infra/server/ws/endpoint';
import { createTestRevocationWatch } from '../gateway/revocations';
import { startHttpService } from '../http/http-service';
import { callerKeys, signer } from '../http/internal-keys';
import { openSocketClient } from '../http/socket-client';
import { noopMetrics, recordingLog } from '../waiting/recording-log';
import { testDefinitions } from './definitions';

export interface CopyOptions {
  readonly name: string;
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly blobs: BlobStore;
  readonly git: GitRepositories;
  /** Of jobs, and half of it of the coordinator: short, so that a test sees them end. */
  readonly leaseMilliseconds: number;
}

/** Once it is killed, no call begins, and what is under way is not answered. */
const killable = <Adapter extends object>(adapter: Adapter, killed: AbortSignal): Adapter => {
  const never = new Promise<never>(() => undefined);
  return new Proxy(adapter, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        if (killed.aborted) return never;
        const answer: unknown = member.apply(target, values);
        return answer instanceof Promise ? answer.then((value) => (killed.aborted ? never : value)) : answer;
      };
    },
  });
};

export const startServiceCopy = async (options: CopyOptions) => {
  const { name, eventStoreUrl, postgresUrl: url, blobs, git, leaseMilliseconds } = options;
  const [stopping, killing] = [new AbortController(), new AbortController()];
  const log = recordingLog();
  const pool = openDurablePool({ url, connections: 12 });
  const opened = {
    store: openEventStore({ url: eventStoreUrl }),
    claims: openPostgresJobClaims({ pool, bounds: { ...claimBounds, leaseMilliseconds } }),
    logs: openPostgresLogStore({ pool, blobs }),
    leases: openPostgresLeaseStore({ pool }),
  };
  const stores = {
    ...opened,
    blobs,
    checkpoints: createPostgresCheckpoints(pool),
    activeRuns: createPostgresActiveRuns(pool),
    groups: createPostgresConcurrencyGroups(pool, groupRules),
  };
  const alive = Object.fromEntries(
    Object.entries(stores).map(([key, adapter]) => [key, killable<object>(adapter, killing.signal)]),
  ) as unknown as typeof stores;
  const warm = createExclusiveAggregates();
  const runs = openRunRegistry({ store: alive.store, warm, log, signal: stopping.signal });
  const adapters = {
    commandMetrics: noCommandMetrics,
    ...alive,
    git,
    log,
    metrics: noopMetrics,
    warm,
    runs,
    graphs: openGraphs(blobs),
    definitions: testDefinitions,
    rights: createTestRevocationWatch(),
    signal: stopping.signal,
    clock: { now: () => new Date().toISOString() as Instant },
    random: { uuid: randomUUID, token: () => randomUUID() },
    publicUrl: 'http://127.0.0.1:1',
    jobKey: Buffer.alloc(32, 7),
    leaseMilliseconds: leaseMilliseconds / 2,
    graceMilliseconds: leaseMilliseconds,
    tickMilliseconds: 100,
  } as unknown as RunsAdapters;
  const parts = [runnerPart.open(adapters), runPart.open(adapters)];
  const routes = parts.flatMap((part) => part.routes);
  const sockets = parts.flatMap((part) => part.sockets ?? []);
  const upgrade = webSocketEndpoint({ routes: sockets, callerKeys, log, signal: stopping.signal });
  const service = await startHttpService(routes, { upgrade, graceMilliseconds: 500 });
  const close = async (): Promise<void> => {
    stopping.abort();
    service.drain();
    // A copy that was killed leaves its work where it stands.
    if (!killing.signal.aborted) await Promise.all(parts.flatMap((part) => part.background ?? []));
    await service.close();
    await Promise.all(Object.values(opened).map((adapter) => adapter.close()));
    await pool.end();
  };
  /** As the gateway signs each call: none is accepted much later. */
  const signedNow = (): string =>
    signCaller(
      { identity: undefined, requestId: 'request-1' },
      { signer, line: { method: 'GET', target: '/runner/socket' }, now: Date.now() },
    );
  return {
    name,
    call: service.call,
    close,
    adapters: { ...adapters, claims: opened.claims },
    lines: log.lines,
    gone: killing.signal,
    /** As by the machine's end: no lease is released, and what it was doing stays half done. */
    kill: (): Promise<void> => {
      killing.abort();
      return close();
    },
    /** As a runner posts. */
    post: (target: string, credential: string, body: object) =>
      service.call(target, {
        method: 'POST',
        identity: 'anonymous',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
        signal: AbortSignal.any([killing.signal, AbortSignal.timeout(15_000)]),
      }),
    runnerSocket: (credential: string) =>
      openSocketClient(`ws://127.0.0.1:${service.port}/runner/socket`, {
        protocols: [runnerProtocol],
        headers: { [identityHeader]: signedNow(), authorization: `Bearer ${credential}` },
      }),
  };
};

export type ServiceCopy = Awaited<ReturnType<typeof startServiceCopy>>;
