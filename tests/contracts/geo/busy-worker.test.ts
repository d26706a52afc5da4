/** An import of 3,000 lines in a worker whose event loop stands still again and again, while another worker sweeps the queue. */
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { performImport } from '../../../commands/geo/imports/run-import';
import { fileKey } from '../../../commands/geo/imports/upload/file-key';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import { loadStream } from '../../../commands/kernel/load-stream';
import { performDecoded } from '../../../commands/kernel/work-queue/job-handler';
import { runWorkers } from '../../../commands/kernel/work-queue/run-workers';
import type { ImportId } from '../../../domain/geo/ids';
import { type ImportCommand, type ImportState, placeImport } from '../../../domain/geo/import/decider';
import { type ImportDefinition, importStream } from '../../../domain/geo/import/events';
import { importQueue } from '../../../domain/geo/run-import-on-started/process';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { openQueue, usePostgres, value } from '../processes/work-queue/fixture';

const tenant = 'acme' as TenantId;
const importId = 'import-1' as ImportId;
const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };

const rows = Array.from({ length: 3_000 }, (_, index) => `p-${index},Shop ${index},shop,54.${index},12.1`);
const file = Buffer.from(['entity_id,name,category,lat,lng', ...rows].join('\n'));
const definition: ImportDefinition = {
  fileName: 'places',
  format: 'csv',
  size: file.length,
  source: 'file',
  sourceVersion: 1,
  category: null,
  attribution: null,
  synthetic: false,
  mapping: null,
};

const claimMilliseconds = 500;
const stallMilliseconds = 800;
const appendsBetween = 400;

const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMilliseconds);

/** Stands still after so many appends. Once after each part of the file, the log is away, too. */
const busy = (store: EventStore): EventStore => {
  let appends = 0;
  let isAway = false;
  return {
    ...store,
    append: async (...request) => {
      appends += 1;
      if (appends % appendsBetween === 0) stall();
      if (isAway) {
        isAway = false;
        return left(fault('event-store-unavailable', 'The log is away.'));
      }
      isAway = request[2].some(({ type }) => type.startsWith('geo.ImportAdvanced.'));
      return store.append(...request);
    },
  };
};

/** Another worker, whose event loop is its own. */
const sweeper = (url: string): Worker =>
  new Worker(
    `const { workerData } = require('node:worker_threads');
     const { Client } = require('pg');
     const client = new Client({ connectionString: workerData.url });
     const sweep = () => client.query('select septet.sweep_jobs($1)', [workerData.queue]).then(() => setTimeout(sweep, 20));
     client.connect().then(sweep);`,
    { eval: true, workerData: { url, queue: importQueue.name } },
  );

describe('an import on a busy machine', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  const directory = temporaryDirectory('busy-imports');
  let blobs: BlobStore;
  before(async () => {
    const opened = openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url: 'http://blobs' });
    assert.ok(isRight(opened));
    blobs = opened.right;
    const put = { key: fileKey(tenant, importId), body: file, size: file.length, contentType: 'text/csv' };
    assert.ok(isRight(await blobs.put(put)));
  });
  after(async () => {
    await blobs.close();
    directory.remove();
  });

  it('ends completed: the claim outlives each standstill, and attempts count from the last progress', async () => {
    const store = openMemoryEventStore();
    const send = async (command: ImportCommand): Promise<void> => {
      const stream = importStream(tenant, importId);
      const request = { stream, command, commandId: command.type, tenant, actor: 'a', correlationId: 'c' };
      assert.ok(isRight(await handle({ store, commandMetrics: noCommandMetrics, clock }, placeImport, request)));
    };
    const stateOf = async (): Promise<ImportState> => {
      const state = await loadStream({ store }, placeImport, importStream(tenant, importId));
      return isLeft(state) ? assert.fail(state.left.detail) : state.right;
    };
    const head = await blobs.head(fileKey(tenant, importId));
    assert.ok(isRight(head));
    await send({ type: 'CreateImport', importId, definition });
    await send({ type: 'StartImport', importId, etag: head.right.etag });

    const { work, add } = openQueue(postgres.pool, importQueue.name);
    const mostAttempts = 2;
    const log = recordingLog();
    const perform = performDecoded(
      importQueue,
      performImport({ store: busy(store), blobs, commandMetrics: noCommandMetrics, clock }),
    );
    const other = sweeper(postgres.url);
    const workers = runWorkers([{ queue: importQueue.name, concurrency: 2, claimMilliseconds, targets: {}, perform }], {
      store,
      work,
      commandMetrics: noCommandMetrics,
      clock,
      log,
      metrics: noopMetrics,
      warm: createExclusiveAggregates(),
      pollMilliseconds: 20,
      retryMilliseconds: 10,
    });
    const end = async () => {
      await other.terminate();
      await workers.close();
    };
    // While the worker's connection is being opened, it is not known to be alive.
    await eventually(async () => {
      const { rows } = await postgres.pool.query(
        `select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and classid = 7079`,
      );
      assert.equal(rows.length, 1);
    });
    await add({ payload: { importId }, mostAttempts });
    try {
      await eventually(async () => assert.notEqual((await stateOf()).kind, 'running'));
    } finally {
      await end();
    }
    const [job] = value(await work.listJobs({ queue: importQueue.name, limit: 1 }));
    const reasons = job?.failures.map(({ reason }) => reason) ?? [];
    assert.equal((await stateOf()).kind, 'completed', reasons.join(' '));
    assert.ok(reasons.length > mostAttempts, reasons.join(' '));
    // The second one is a machine that is still busier than this test makes it.
    const known = ['The log is away.', 'The worker could not renew its claim in time.'];
    assert.deepEqual(
      reasons.filter((reason) => !known.includes(reason)),
      [],
    );
  });
});
