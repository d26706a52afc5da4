/** Runners, logs and artifacts of the workflow service on loopback: real Postgres, a real log, blobs in a directory with signed addresses. */
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { type Either, isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import type { OpenedPart, WorkflowAdapters } from '../../../commands/workflow/adapters';
import { artifactPart } from '../../../commands/workflow/artifacts/open-artifacts';
import { openGraphs } from '../../../commands/workflow/graphs';
import { logPart } from '../../../commands/workflow/logs/open-logs';
import { logProtocol } from '../../../commands/workflow/logs/socket';
import { runnerPart } from '../../../commands/workflow/runners/open-runners';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Checksum, JobId, RunId } from '../../../domain/workflow/ids';
import { claimBounds } from '../../../domain/workflow/limits';
import { type LogChunk, runnerProtocol } from '../../../domain/workflow/protocol/runner';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import { localBlobRoutes } from '../../../infra/adapters/blobs/local/http/routes';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresArtifactIndex } from '../../../infra/adapters/postgres/workflow/artifact-index';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import { openPostgresLogStore } from '../../../infra/adapters/postgres/workflow/log-store';
import { openPostgresWorkflowReader } from '../../../infra/adapters/postgres/workflow/workflow-reader';
import type { EventStore } from '../../../infra/ports/event-store';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../infra/server/http/routing/route';
import { listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { openLogPages } from '../../../infra/server/workflow/log-pages';
import { openRunReader } from '../../../infra/server/workflow/run-reader';
import { webSocketEndpoint } from '../../../infra/server/ws/endpoint';
import { recordRoutes } from '../../../read-api/workflow/routes';
import { temporaryDirectory } from '../files/temporary-directory';
import { createTestRevocationWatch } from '../gateway/revocations';
import { type Call, capturedLog, sampleIdentity, startHttpService } from '../http/http-service';
import { callerKeys, signer } from '../http/internal-keys';
import { openSocketClient } from '../http/socket-client';
import { freshDatabase } from '../servers/shared-servers';
import { node, request } from './runs';

export const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), isRight(answer) ? '' : JSON.stringify(answer.left));
  return answer.right;
};

const acme = 'acme' as TenantId;
export const admin: Identity = {
  ...sampleIdentity,
  scopes: ['workflows:read', 'workflows:write', 'workflows:admin'],
};

/** A chunk as a runner sends it. */
export const chunkOf = (
  chunkOffset: number,
  text: string | Uint8Array,
  more: { readonly byteStart?: number; readonly encoding?: 'plain' | 'gzip' } = {},
): LogChunk => {
  const bytes = Buffer.from(text as Uint8Array);
  const { byteStart = 0, encoding = 'plain' } = more;
  return {
    chunkOffset,
    byteStart,
    byteEnd: byteStart + bytes.length,
    encoding,
    checksum: `sha256:${hash('sha256', bytes, 'hex')}` as Checksum,
    payload: (encoding === 'gzip' ? gzipSync(bytes) : bytes).toString('base64'),
    emittedAt: '2026-11-28T03:00:00.000Z' as Instant,
  };
};

/** Chunks of which each begins where the one before ends. */
export const chunksOf = (texts: readonly (string | Uint8Array)[]): readonly LogChunk[] => {
  let byteStart = 0;
  return texts.map((text, index) => {
    const chunk = chunkOf(index, text, { byteStart });
    byteStart = chunk.byteEnd;
    return chunk;
  });
};

/** As the gateway signs it; undefined: a caller whose proof the service checks. */
const identityOf = (target: string, identity: Identity | undefined): string =>
  signCaller({ identity, requestId: 'request-1' }, { signer, line: { method: 'GET', target }, now: Date.now() });

const stepless = {
  env: {},
  outputs: {},
  matrix: {},
  strategy: { jobIndex: 0, jobTotal: 1, failFast: true, maxParallel: 1 },
  steps: [],
};

export interface ControlOptions {
  readonly store: EventStore;
  /** After the end of an attempt. Left out: 15 seconds. */
  readonly lateLogMilliseconds?: number;
  /** A bucket for logs and artifacts; left out: a directory. */
  readonly bucket?: S3Options;
  readonly open?: (adapters: WorkflowAdapters) => readonly OpenedPart[];
}

export const startControlService = async (options: ControlOptions) => {
  const { store, lateLogMilliseconds: lateMilliseconds, bucket, open } = options;
  const url = await freshDatabase();
  const readerUrl = value(await migrate({ url, readerPassword: 'reads' }));
  const stopping = new AbortController();
  const directory = temporaryDirectory('workflow-control');
  const log = capturedLog();
  const secret = 's'.repeat(43);
  // Its address is known only after it listens.
  const app = express().disable('x-powered-by');
  const blobListener = await listen(app, { host: '127.0.0.1', port: 0 });
  const local = value(
    openLocalBlobs({ directory: directory.path, secret, url: `http://127.0.0.1:${blobListener.port}/blobs` }),
  );
  app.use('/blobs', localBlobRoutes({ blobs: local, secret, log }));
  const blobs = bucket === undefined ? local : openS3Blobs(bucket);
  const pool = openDurablePool({ url, connections: 12 });
  const claims = openPostgresJobClaims({ pool, bounds: claimBounds });
  const late = lateMilliseconds === undefined ? {} : { lateMilliseconds };
  const logs = openPostgresLogStore({ pool, blobs, ...late });
  const reader = openPostgresWorkflowReader({ url: readerUrl, blobs, ...late });
  const rights = createTestRevocationWatch();
  const warm = createExclusiveAggregates();
  const runs = openRunRegistry({ store, warm, log, signal: stopping.signal });
  const adapters = {
    commandMetrics: noCommandMetrics,
    warm,
    runs,
    graphs: openGraphs(blobs),
    store,
    blobs,
    claims,
    logs,
    rights,
    log,
    metrics: openMetrics('control'),
    signal: stopping.signal,
    clock: { now: () => new Date().toISOString() as Instant },
    random: { uuid: randomUUID, token: (bytes: number) => hash('sha256', randomUUID(), 'base64url').slice(0, bytes) },
    publicUrl: 'http://127.0.0.1:1',
    jobKey: Buffer.alloc(32, 7),
    git: undefined,
    artifacts: createPostgresArtifactIndex(pool),
  } as unknown as WorkflowAdapters;
  const parts = open?.(adapters) ?? [logPart.open(adapters), runnerPart.open(adapters), artifactPart.open(adapters)];
  /** Answered by the query API, with its rights. */
  const records = {
    ...reader,
    store,
    blobs,
    clock: adapters.clock,
    pages: openLogPages(reader.logs),
    readRun: openRunReader(store),
  };
  const routes = [...parts.flatMap((part) => part.routes), ...recordRoutes(records)];
  const sockets = parts.flatMap((part) => part.sockets ?? []);
  const upgrade = webSocketEndpoint({ routes: sockets, callerKeys, log, signal: stopping.signal });
  const service = await startHttpService(routes, { upgrade });

  const call = (target: string, more: Call = {}) => service.call(target, { identity: admin, ...more });
  const json = (target: string, credential: string, body: unknown, method = 'POST', signal?: AbortSignal) =>
    service.call(target, {
      method,
      ...(signal === undefined ? {} : { signal }),
      identity: 'anonymous',
      headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const socket = (target: string, protocol: string, identity: Identity | undefined, headers: object = {}) =>
    openSocketClient(`ws://127.0.0.1:${service.port}${target}`, {
      protocols: [protocol],
      headers: { [identityHeader]: identityOf(target, identity), ...headers },
    });

  const command = async (decided: RunCommand) =>
    value(
      await handle(adapters, run, {
        stream: runStream(acme, decided.runId),
        command: decided,
        commandId: randomUUID(),
        tenant: acme,
        actor: 'test',
        correlationId: 'test',
      }),
    );
  /** A run whose jobs wait for a runner. */
  const queueRun = async (count = 1, more: Parameters<typeof node>[1] = {}) => {
    const runId = randomUUID() as RunId;
    const jobIds = Array.from({ length: count }, () => randomUUID() as JobId);
    const content = JSON.stringify({ jobs: Object.fromEntries(jobIds.map((id) => [id, stepless])) });
    const graphKey = `workflow/${acme}/graphs/${runId}`;
    value(
      await blobs.put({
        key: graphKey,
        body: Buffer.from(content),
        size: Buffer.byteLength(content),
        contentType: 'application/json',
      }),
    );
    await command({ ...request, runId } as RunCommand);
    await command({
      type: 'ResolveRun',
      runId,
      graphKey,
      parser: 'test 1',
      planned: [],
      graphDigest: `sha256:${hash('sha256', content, 'hex')}` as Checksum,
      jobs: jobIds.map((id) => node(id, more)),
    });
    await command({ type: 'AdmitJobs', runId, queued: jobIds, skipped: [] });
    const { repoId, workflowDefinitionId } = request as Extract<RunCommand, { type: 'RequestRun' }>;
    const ofRun = { tenantId: acme, runId, repoId, workflowDefinitionId, matrix: null };
    value(
      await claims.enqueue(
        jobIds.map((jobId) => ({
          ...ofRun,
          jobId,
          attempt: 1,
          labels: ['linux'],
          isolation: 'none' as const,
          priority: 0,
        })),
      ),
    );
    return { runId, jobIds, jobId: jobIds[0] as JobId };
  };

  const register = async (more: object = {}) => {
    const created = await call('/v1/workflow/runner-tokens', { method: 'POST' });
    const { token } = (await created.json()) as { readonly token: string };
    const body = { token, name: 'build-1', labels: ['linux'], isolation: 'none', protocol: runnerProtocol, ...more };
    const answer = await json('/runner/register', 'none', body);
    assert.equal(answer.status, 201);
    return { token, ...((await answer.json()) as { readonly runnerId: string; readonly credential: string }) };
  };
  const runnerSocket = (credential: string) =>
    socket('/runner/socket', runnerProtocol, undefined, { authorization: `Bearer ${credential}` });
  const logSocket = (jobId: string, query = '', viewer = admin) =>
    socket(`/actions/jobs/${jobId}/logs/stream${query}`, logProtocol, viewer);

  const close = async (): Promise<void> => {
    stopping.abort();
    service.drain();
    await Promise.all([runs.ended, ...parts.flatMap((part) => part.background ?? [])]);
    await service.close();
    await Promise.all([
      claims.close(),
      logs.close(),
      reader.close(),
      local.close(),
      blobs.close(),
      blobListener.close(),
    ]);
    await pool.end();
    directory.remove();
  };
  return {
    adapters,
    call,
    json,
    command,
    queueRun,
    register,
    runnerSocket,
    logSocket,
    rights,
    logs,
    blobs,
    pool,
    close,
    directory: directory.path,
    url,
  };
};

export type ControlService = Awaited<ReturnType<typeof startControlService>>;
