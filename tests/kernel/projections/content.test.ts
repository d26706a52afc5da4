/** Rows that are made of content in a directory of blobs: verified, bounded, and the same in rebuilds. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { type MemoryViews, openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ContentReference, ContentSource } from '../../../projections/kernel/content';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { filesUnder } from '../../contracts/blobs/local/files-under';
import { expectSuccess } from '../../contracts/blobs/suite/store-calls';
import {
  type LineRow,
  linesProjection,
  linesView,
  newPaperEvent,
  paperContent,
  paperStream,
  referenceTo,
  strictLinesProjection,
} from '../../support/domain/paper-context';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const view = linesView('papers_lines');

describe('rows that are made of content', () => {
  let home: ReturnType<typeof temporaryDirectory>;
  let blobs: BlobStore;
  let store: EventStore;
  let views: MemoryViews;
  let running: Projector[];
  beforeEach(() => {
    home = temporaryDirectory('content');
    blobs = expectSuccess(openLocalBlobs({ directory: home.path, secret: 's'.repeat(43), url: 'http://localhost' }));
    store = openMemoryEventStore();
    views = openMemoryViews();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.close()));
    await blobs.close();
    home.remove();
  });

  const run = (projection: Projection = linesProjection(view), source: ContentSource = blobs): Projector => {
    const options = { log: recordingLog(), metrics: noopMetrics, pulseMilliseconds: 20 };
    const projector = runProjector([projection], {
      ...options,
      store,
      writerOf: () => views.writer,
      blobs: source,
    });
    running.push(projector);
    return projector;
  };

  const record = async (paperId: string, reference: ContentReference): Promise<void> => {
    const event = newPaperEvent({ type: 'PaperRead', data: { paperId, ...reference } });
    assert.ok(isRight(await store.append(paperStream(paperId), 'any', [event])));
  };
  const upload = async (key: string, bytes: Buffer): Promise<ContentReference> => {
    expectSuccess(await blobs.put({ key, contentType: 'application/json', body: bytes, size: bytes.length }));
    return referenceTo(key, bytes);
  };
  const read = async (paperId: string, lines: readonly string[]): Promise<void> =>
    record(paperId, await upload(`papers/${paperId}`, paperContent(lines)));

  const textsOf = async (paperId: string): Promise<string> => {
    const order = [{ field: 'line', direction: 'asc' }] as const;
    const page = await views.reader.page(view, 'acme', { where: { paperId }, order, limit: 1_000 });
    return isRight(page) ? page.right.map((row: LineRow) => row.text).join(' ') : page.left.detail;
  };
  const reaches = (paperId: string, texts: string) =>
    eventually(async () => assert.equal(await textsOf(paperId), texts));
  const stops = (projector: Projector, reason: RegExp) =>
    eventually(async () => {
      const [status] = projector.status();
      assert.equal(status?.phase, 'stopped');
      assert.match(status.detail ?? '', reason);
    });

  it('appear with their event, of the past and live', async () => {
    await read('a', ['one', 'two']);
    run();
    await reaches('a', 'one two');
    await read('b', ['three']);
    await reaches('b', 'three');
  });

  it('are the same in a rebuild, which compares them', async () => {
    await read('a', ['one', 'two']);
    run();
    await reaches('a', 'one two');
    const { signal } = new AbortController();
    const work = { store, writer: views.writer, signal, projection: linesProjection(view), blobs };
    const rebuilt = await rebuild({ ...work, acceptDifferences: false, progress: () => undefined });
    assert.ok(isRight(rebuilt));
    assert.equal(rebuilt.right.digests?.after.rows, 2);
    assert.equal(await textsOf('a'), 'one two');
  });

  const alter = (): void => {
    for (const file of filesUnder(join(home.path, 'content'))) {
      const bytes = readFileSync(file);
      bytes[bytes.length - 4] = (bytes[bytes.length - 4] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
  };

  it('stop the view where content was altered on the disk, after the events before it', async () => {
    await read('a', ['one']);
    const projector = run();
    await reaches('a', 'one');
    await projector.close();
    await read('b', ['x'.repeat(400_000)]);
    alter();
    await stops(run(), /papers\.PaperRead\.v1 at papers\.paper-acme\.b revision 0: Content papers\/b/);
    assert.equal(await textsOf('a'), 'one');
    assert.equal(await textsOf('b'), '');
  });

  it('stop a rebuild there as well, and the live view goes on', async () => {
    await read('a', ['y'.repeat(400_000)]);
    run();
    await eventually(async () => assert.equal((await textsOf('a')).length, 400_000));
    alter();
    const { signal } = new AbortController();
    const work = { store, writer: views.writer, signal, projection: linesProjection(view), blobs };
    const rebuilt = await rebuild({ ...work, acceptDifferences: true, progress: () => undefined });
    assert.ok(isLeft(rebuilt) && rebuilt.left.code === 'poison-event');
    assert.equal((await textsOf('a')).length, 400_000);
  });

  it('stop the view at other content under the key, of the same size or not', async () => {
    for (const [paperId, lines] of [
      ['a', ['two']],
      ['b', ['longer']],
    ] as const) {
      const reference = referenceTo(`papers/${paperId}`, paperContent(['one']));
      await upload(reference.key, paperContent(lines));
      await record(paperId, reference);
      const projector = run(linesProjection(linesView(`papers_lines_${paperId}`)));
      await stops(projector, /it is not what the event names/);
      await projector.close();
      store = openMemoryEventStore();
    }
  });

  it('stop the view at content of another form, and do not quote it', async () => {
    for (const bytes of [Buffer.from('{"lines":"secret"}'), Buffer.from('secret'), Buffer.alloc(0)]) {
      store = openMemoryEventStore();
      await record('a', await upload('papers/a', bytes));
      const projector = run(linesProjection(linesView(`papers_lines_${bytes.length}`)));
      await stops(projector, /Content papers\/a: (\/lines is not|it is not JSON)/);
      assert.ok(!JSON.stringify(projector.status()).includes('secret'));
      await projector.close();
    }
  });

  it('are left out where content was deleted since, if the projection says so', async () => {
    await read('a', ['one']);
    await read('b', ['two']);
    expectSuccess(await blobs.remove('papers/a'));
    run();
    await reaches('b', 'two');
    assert.equal(await textsOf('a'), '');
    const strict = run(strictLinesProjection(linesView('papers_strict')));
    await stops(strict, /Content papers\/a: it is not there/);
  });

  it('wait for object storage that is away', async () => {
    let isAway = true;
    const away = left(fault('blob-store-unavailable', 'Blobs are away.'));
    const source: ContentSource = { get: async (request) => (isAway ? away : blobs.get(request)) };
    await read('a', ['one']);
    const projector = run(linesProjection(view), source);
    await eventually(async () => {
      const [status] = projector.status();
      assert.deepEqual([status?.phase, status?.detail], ['waiting', 'Blobs are away.']);
    });
    isAway = false;
    await reaches('a', 'one');
  });

  it('end with the process while they wait', async () => {
    const away = left(fault('blob-store-unavailable', 'Blobs are away.'));
    await read('a', ['one']);
    const projector = run(linesProjection(view), { get: async () => away });
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'waiting'));
    await projector.close();
  });

  it('are written in parts, so that the content of a batch stays small', async () => {
    const mebibytes = 6;
    const sizes: number[] = [];
    const { writer } = views;
    views = {
      ...views,
      writer: {
        ...writer,
        apply: (target, batch) => {
          sizes.push(batch.changes.length);
          return writer.apply(target, batch);
        },
      },
    };
    const large = await upload('papers/large', paperContent(['z'.repeat(mebibytes * 1024 * 1024)]));
    for (let at = 0; at < 7; at += 1) await record(`p${at}`, large);
    run();
    await eventually(async () => assert.equal((await textsOf('p6')).length, mebibytes * 1024 * 1024));
    assert.deepEqual(
      sizes.filter((size) => size > 0),
      [2, 2, 2, 1],
    );
  });

  it('are refused where an event names more than fits, before anything is loaded', async () => {
    await record('a', { key: 'papers/a', sha256: '0'.repeat(64), size: 40 * 1024 * 1024 });
    await stops(run(), /41943040 bytes are more than 33554432/);
  });
});
