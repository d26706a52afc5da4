/** Imports that are ended anywhere go on and end the same: on the log and the object store of small installations. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { performImport } from '../../commands/geo/imports/run-import';
import { fileKey } from '../../commands/geo/imports/upload/file-key';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { handle } from '../../commands/kernel/handle';
import type { DecodedJob } from '../../commands/kernel/work-queue/job-handler';
import type { EntityId, ImportId } from '../../domain/geo/ids';
import { type ImportCommand, placeImport } from '../../domain/geo/import/decider';
import { type ImportDefinition, importStream } from '../../domain/geo/import/events';
import { place } from '../../domain/geo/place/decider';
import { placeStream } from '../../domain/geo/place/events';
import type { ImportJob } from '../../domain/geo/run-import-on-started/process';
import { source } from '../../domain/geo/source/decider';
import { sourceStream } from '../../domain/geo/source/events';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { fault } from '../../domain/kernel/rejection';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import { importRefusalsProjection } from '../../projections/geo/import-refusals/project';
import type { ImportRefusalRow } from '../../projections/geo/import-refusals/view';
import { importsProjection } from '../../projections/geo/imports/project';
import type { ImportRow } from '../../projections/geo/imports/view';
import { rowsAfter } from '../identity/projections/rows';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jobRun } from '../support/processes/job-run';

const tenant = 'acme' as TenantId;
const importId = 'import-1' as ImportId;
const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };

const lines = Array.from({ length: 2_500 }, (_, index) => {
  if (index % 500 === 7) return 'no JSON';
  // Some places come twice, in two versions.
  const entity_id = `place-${index % 2_400}`;
  return JSON.stringify({ entity_id, version: index, data: { name: `N ${index}`, category: 'shop', lat: 1, lng: 2 } });
});
const file = Buffer.from(lines.join('\n'));

const definition: ImportDefinition = {
  fileName: 'places',
  format: 'jsonl',
  size: file.length,
  source: 'file',
  sourceVersion: 1,
  category: null,
  attribution: null,
  synthetic: false,
  mapping: null,
};

/** Fails for good after so many appends, as the log of a killed worker does. */
const endingAfter = (store: EventStore, appends: number): EventStore => {
  let remaining = appends;
  return {
    ...store,
    append: async (...request) => {
      await setImmediate();
      remaining -= 1;
      return remaining < 0 ? left(fault('event-store-unavailable', 'It is gone.')) : store.append(...request);
    },
  };
};

describe('an import in a worker', () => {
  const directory = temporaryDirectory('imports');
  let blobs: BlobStore;
  before(async () => {
    const opened = openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url: 'http://blobs' });
    assert.ok(isRight(opened));
    blobs = opened.right;
    const stored = await blobs.put({
      key: fileKey(tenant, importId),
      body: file,
      size: file.length,
      contentType: 'x/y',
    });
    assert.ok(isRight(stored));
  });
  after(async () => {
    await blobs.close();
    directory.remove();
  });

  const send = async (store: EventStore, command: ImportCommand, id = importId): Promise<void> => {
    const stream = importStream(tenant, id);
    const request = { stream, command, commandId: `${command.type} ${id}`, tenant, actor: 'a', correlationId: 'c' };
    assert.ok(isRight(await handle({ store, commandMetrics: noCommandMetrics, clock }, placeImport, request)));
  };
  const started = async (): Promise<EventStore> => {
    const store = openMemoryEventStore();
    const head = await blobs.head(fileKey(tenant, importId));
    assert.ok(isRight(head));
    await send(store, { type: 'CreateImport', importId, definition });
    await send(store, { type: 'StartImport', importId, etag: head.right.etag });
    return store;
  };
  let token = 0;
  const run = (store: EventStore, signal = new AbortController().signal, id = importId) => {
    token += 1;
    const job = {
      queue: 'geo-imports',
      kind: 'geo-imports',
      key: 'k',
      tenant,
      payload: { importId: id },
      id: 'j',
      attempt: 1,
      token,
      priority: 0,
      mostAttempts: 25,
      deadline: null,
      deadlineMilliseconds: null,
      cause: { correlationId: 'c', causationId: 'e', depth: 1 },
    } satisfies DecodedJob<ImportJob>;
    const perform = performImport({ store, commandMetrics: noCommandMetrics, clock, blobs });
    return perform(job, jobRun({ signal }));
  };
  const eventsOf = async (store: EventStore): Promise<readonly StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for await (const event of store.readAll({ after: null })) events.push(event);
    return events;
  };
  const rowOf = async (store: EventStore): Promise<ImportRow> => {
    const [row] = (await rowsAfter(importsProjection, [await eventsOf(store)])) as readonly ImportRow[];
    assert.ok(row !== undefined);
    return row;
  };
  const placesIn = async (store: EventStore): Promise<readonly string[]> =>
    (await eventsOf(store))
      .filter(({ stream }) => stream.startsWith('geo.place-'))
      .map(({ stream, data }) => `${stream} ${(data as { readonly sourceVersion: number }).sourceVersion}`)
      .toSorted();

  let expected: readonly string[] = [];
  it('records every line once, and lists what it refuses', async () => {
    const store = await started();
    assert.ok(isRight(await run(store)));
    const { status, progress } = await rowOf(store);
    const counts = { lines: 2_500, recorded: 2_495, unchanged: 0, outdated: 0, refused: 5, permille: 1_000 };
    assert.deepEqual({ status, progress }, { status: 'completed', progress: counts });
    const rows = await rowsAfter(importRefusalsProjection, [await eventsOf(store)]);
    const refusals = rows as readonly ImportRefusalRow[];
    assert.deepEqual(
      refusals.map(({ line }) => line),
      [8, 508, 1_008, 1_508, 2_008],
    );
    expected = await placesIn(store);
    assert.equal(expected.length, 2_495);
    assert.deepEqual(await run(store), await run(store));
    assert.deepEqual(await placesIn(store), expected);
  });

  it('refuses the lines of places that belong to another source, and names the field', async () => {
    const store = await started();
    const { entityId, ...removal } = {
      entityId: 'place-3' as EntityId,
      source: 'other',
      sourceVersion: 1,
      occurredAt: null,
    };
    const request = { commandId: 'other', tenant, actor: 'a', correlationId: 'c' };
    const command = { type: 'RemovePlace' as const, entityId, ...removal };
    assert.ok(
      isRight(
        await handle({ store, commandMetrics: noCommandMetrics, clock }, place, {
          ...request,
          stream: placeStream(tenant, entityId),
          command,
        }),
      ),
    );
    assert.ok(isRight(await run(store)));
    const { progress } = await rowOf(store);
    // It comes twice in the file.
    assert.deepEqual([progress.recorded, progress.refused], [2_493, 7]);
    const rows = (await rowsAfter(importRefusalsProjection, [await eventsOf(store)])) as readonly ImportRefusalRow[];
    assert.deepEqual(
      rows.filter(({ line }) => line === 4 || line === 2_404).map(({ field, hint }) => [field, hint]),
      Array.from({ length: 2 }, () => [
        '/source',
        'The place belongs to the source other. Hand it over, or name another id.',
      ]),
    );
  });

  it('refuses lines that name a source reserved for others', async () => {
    const store = await started();
    const request = { commandId: 'reserve', tenant, actor: 'a', correlationId: 'c' };
    const command = { type: 'SetSourceWriters' as const, source: 'theirs', writers: ['p-1' as PrincipalId] };
    const reserved = await handle({ store, commandMetrics: noCommandMetrics, clock }, source, {
      ...request,
      stream: sourceStream(tenant, 'theirs'),
      command,
    });
    assert.ok(isRight(reserved));
    const named = lines
      .map((line, index) => (index === 3 ? line.replace('{', '{"source":"theirs",') : line))
      .join('\n');
    const key = fileKey(tenant, 'import-2' as ImportId);
    const body = Buffer.from(named);
    assert.ok(isRight(await blobs.put({ key, body, size: body.length, contentType: 'x/y' })));
    const head = await blobs.head(key);
    assert.ok(isRight(head));
    const id = { importId: 'import-2' as ImportId };
    await send(store, { type: 'CreateImport', ...id, definition: { ...definition, size: body.length } }, id.importId);
    await send(store, { type: 'StartImport', ...id, etag: head.right.etag }, id.importId);
    assert.ok(isRight(await run(store, undefined, id.importId)));
    const rows = (await rowsAfter(importRefusalsProjection, [await eventsOf(store)])) as readonly ImportRefusalRow[];
    assert.deepEqual(
      rows.filter(({ line }) => line === 4).map(({ field, hint }) => [field, hint]),
      [['/source', 'It is reserved for other principals.']],
    );
  });

  it('records every feature before the place where its file cannot be read any more, and then fails', async () => {
    const feature = (id: number) =>
      JSON.stringify({
        type: 'Feature',
        id,
        properties: { name: `N ${id}`, category: 'shop' },
        geometry: { type: 'Point', coordinates: [2, 1] },
      });
    const features = Array.from({ length: 1_500 }, (_, index) => feature(index)).join(',');
    const broken = [
      `{"type":"FeatureCollection","features":[${features},{"type":`,
      `{"features":[${features}]} and more`,
    ];
    for (const [index, text] of broken.entries()) {
      const store = openMemoryEventStore();
      const id = `broken-${index}` as ImportId;
      const [key, body] = [fileKey(tenant, id), Buffer.from(text)];
      assert.ok(isRight(await blobs.put({ key, body, size: body.length, contentType: 'x/y' })));
      const head = await blobs.head(key);
      assert.ok(isRight(head));
      const collection = { ...definition, format: 'geojson' as const, size: body.length };
      await send(store, { type: 'CreateImport', importId: id, definition: collection }, id);
      await send(store, { type: 'StartImport', importId: id, etag: head.right.etag }, id);
      assert.ok(isRight(await run(store, undefined, id)));
      const { status, progress } = await rowOf(store);
      assert.deepEqual([status, progress.lines, progress.recorded], ['failed', 1_500, 1_500]);
      assert.equal((await placesIn(store)).length, 1_500);
    }
  });

  it('is ended anywhere, and goes on: nothing is lost, doubled or counted twice', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1_200 }), { minLength: 1, maxLength: 3 }), async (ends) => {
        const store = await started();
        for (const appends of ends) await run(endingAfter(store, appends));
        assert.ok(isRight(await run(store)));
        assert.deepEqual(await placesIn(store), expected);
        const { status, progress } = await rowOf(store);
        assert.deepEqual([status, progress.recorded, progress.refused], ['completed', 2_495, 5]);
      }),
      { numRuns: 4 },
    )).timeout(30_000);

  it('stops when it is cancelled or its worker drains, and when its file is gone', async () => {
    const cancelled = await started();
    await send(cancelled, { type: 'CancelImport', importId });
    assert.ok(isRight(await run(cancelled)));
    assert.deepEqual(await placesIn(cancelled), []);
    const drained = await started();
    assert.ok(isLeft(await run(drained, AbortSignal.abort())));
    assert.equal((await rowOf(drained)).status, 'running');
    const other = await started();
    assert.ok(isRight(await blobs.remove(fileKey(tenant, importId))));
    assert.ok(isRight(await run(other)));
    assert.equal((await rowOf(other)).status, 'failed');
  });
});
