/** The query side of files on twins of the stores. Views are at the log's end whenever `project` was called. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore, openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { AnswerModel } from '../../../infra/ports/files/answer-model';
import type { Embedder } from '../../../infra/ports/files/embedder';
import type { JobLookup, JobRecord } from '../../../infra/ports/processes/work-queue';
import type { Batch } from '../../../infra/ports/views/view-store';
import { createAggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../../infra/server/files/file-access';
import type { BoundRoute, Identity, JsonAnswer } from '../../../infra/server/http/routing/route';
import { context as projections } from '../../../projections/files/context';
import { type AuthorityRow, authoritiesView } from '../../../projections/identity/authorities/view';
import { type PrincipalRow, principalsView } from '../../../projections/identity/principals/view';
import { isContent } from '../../../projections/kernel/content';
import type { Projection } from '../../../projections/kernel/projection';
import { collectAllChanges } from '../../../projections/kernel/projector/view-batch';
import { createTenantSlots } from '../../../read-api/files/answer/model/tenant-slots';
import { openReadableLabels } from '../../../read-api/files/readable-labels';
import { fileRoutes } from '../../../read-api/files/routes';
import { auditTo } from '../../../read-api/files/search/audit';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { expectRight } from '../domain/expect-right';
import { recordingLog } from '../waiting/recording-log';
import { openFileHistory } from './file-history';
import { openMemoryIndexes } from './memory-index';
import { sampleEmbedder } from './sample-embedder';

export const reader = (principalId: string, tenantId = 'acme'): Identity => ({
  tenantId,
  principalId: principalId as PrincipalId,
  principalType: 'HUMAN',
  scopes: ['files:read'],
  tokenId: 'jti-1',
});

interface Call {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly headers?: { readonly [name: string]: string };
}

export interface Answered {
  readonly status: number;
  readonly body: never;
}

export const openMemoryStage = (embedder: Embedder | undefined = sampleEmbedder) => {
  const plain = openMemoryEventStore();
  // As commands and projectors have it, and as the query side has it.
  const store = openEncryptingStore(plain, memoryVault());
  const redacted = openRedactingStore(plain);
  const log = recordingLog();
  const contents = new Map<string, Buffer>();
  const { writer, reader: views } = openMemoryViews();
  const history = openFileHistory({ store, putContent: async (key, bytes) => void contents.set(key, bytes) });

  const rowsOf = (projection: Projection, changes: ReturnType<typeof collectAllChanges>['changes']): Batch['changes'] =>
    changes.flatMap(({ position, change }) => {
      if (!isContent(change)) return [{ position, change }];
      const bytes = change.references.map(({ key }) => contents.get(key));
      const isThere = bytes.every((one) => one !== undefined);
      const made = isThere
        ? change.rows(bytes as Buffer[])
        : right(change.missing ?? assert.fail(projection.view.name));
      return expectRight(made).map((row) => ({ position, change: row }));
    });

  const applied = new Map<string, bigint | null>();
  const projectOne = async (projection: Projection): Promise<void> => {
    const { view } = projection;
    const { number: generation } = expectRight(await writer.open(view));
    const after = applied.get(view.name) ?? null;
    const events = [];
    for await (const event of store.readAll({ after, filter: { streams: ['files.'] } })) events.push(event);
    const { changes, poison, position } = collectAllChanges(projection, events);
    assert.equal(poison, undefined);
    if (position === null) return;
    const batch = { generation, after, position, live: true, changes: rowsOf(projection, changes) };
    assert.ok(isRight(await writer.apply(view, batch)));
    applied.set(view.name, position);
  };
  /** All views, or those named. */
  const project = async (...names: readonly string[]): Promise<void> => {
    for (const projection of projections)
      if (names.length === 0 || names.includes(projection.view.name)) await projectOne(projection);
  };

  const putRows = async (view: unknown, rows: readonly object[]): Promise<void> => {
    const { number: generation, position: after } = expectRight(await writer.open(view as never));
    const position = (after ?? 0n) + 1n;
    const changes = rows.map((row) => ({ position, change: { kind: 'put', row } as never }));
    assert.ok(isRight(await writer.apply(view as never, { generation, after, position, live: true, changes })));
  };
  /** Principals of the tenant, as identity's view has them. */
  const setPrincipals = (...rows: readonly PrincipalRow[]): Promise<void> => putRows(principalsView, rows);
  /** Their roles and scopes. */
  const setAuthorities = (...rows: readonly AuthorityRow[]): Promise<void> => putRows(authoritiesView, rows);

  const blobs = {
    get: async ({ key }: { readonly key: string }) => {
      const bytes = contents.get(key);
      if (bytes === undefined) return left({ kind: 'rejection', code: 'blob-unknown', detail: 'It is gone.' } as const);
      const info = { key, size: bytes.length, etag: '"e"', storedAt: '', contentType: '', sha256: null };
      return right({ info, first: 0, length: bytes.length, body: Readable.from([bytes]) } as never);
    },
    signGet: async (request: { readonly key: string }) =>
      right({
        method: 'GET' as const,
        url: `https://blobs.test/${encodeURIComponent(JSON.stringify(request))}`,
        headers: {},
        expiresAt: '2026-11-29T00:00:00.000Z' as never,
      }),
  };
  /** The job of each key, and the queues that have a worker: what the work queue would answer. */
  const work = { jobs: new Map<string, JobRecord>(), served: new Set<string>(['files-ingestion', 'files-reading']) };
  const jobs: JobLookup = {
    findByKey: async ({ queues, key, tenant }) => {
      const job = work.jobs.get(key);
      return right(job !== undefined && queues.includes(job.queue) && job.tenant === tenant ? job : undefined);
    },
    isServed: async (queue) => right(work.served.has(queue)),
  };
  const reading = {
    views,
    jobs,
    positions: createViewPositions(views),
    cursors: cursorsSignedWith('k'.repeat(43)),
    indexes: openMemoryIndexes(views) as never,
    source: { store: redacted, cache: createAggregateCache(), rules: readerRules },
    labelsOf: openReadableLabels(),
    blobs,
    embedder: () => embedder,
    audit: auditTo(log),
    answerModel: undefined,
  };
  const callWith = async (
    routes: readonly BoundRoute[],
    operation: string,
    identity: Identity,
    request: Call,
  ): Promise<Answered> => {
    const route = routes.find((one) => one.operation === operation);
    assert.ok(route !== undefined, operation);
    const { params = {}, query = {}, body = {}, headers = {} } = request;
    const rest = { headers, target: '/', requestId: 'r', identity, signal: new AbortController().signal };
    const answer = await route.handle({ params, query, body, ...rest });
    if ('problem' in answer) return { status: answer.problem.status, body: answer.problem as never };
    const { status, body: answered } = answer as JsonAnswer;
    const codec = route.answers[status]?.body;
    // The answer has the documented fields, and no other.
    assert.ok(codec !== undefined && !isLeft(codec.decode(answered)), `${operation}: ${JSON.stringify(answered)}`);
    assert.deepEqual(JSON.parse(JSON.stringify(codec.encode(answered))), JSON.parse(JSON.stringify(answered)));
    return { status, body: answered as never };
  };
  const served = (routes: readonly BoundRoute[]) => ({
    call: (operation: string, identity: Identity, request: Call = {}) => callWith(routes, operation, identity, request),
  });
  /** The same stores, searched with another embedder. */
  const withEmbedder = (other: Embedder) => served(fileRoutes({ ...reading, embedder: () => other }));
  /** The same stores, with answers of this model; `most` calls at once. */
  const withAnswerModel = (model: AnswerModel, most = 4) =>
    served(fileRoutes({ ...reading, answerModel: { model, slots: createTenantSlots(most) } }));
  const searched = { withEmbedder, withAnswerModel };
  return {
    ...history,
    ...served(fileRoutes(reading)),
    ...searched,
    work,
    log,
    store,
    contents,
    views,
    project,
    setPrincipals,
    setAuthorities,
  };
};

export type MemoryStage = ReturnType<typeof openMemoryStage>;
