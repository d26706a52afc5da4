/** Erasures in personal views of real stores: against rebuilds, among many rows, and when the projector is killed on the way. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client as ElasticClient } from '@elastic/elasticsearch';
import * as fc from 'fast-check';
import { Client as PostgresClient } from 'pg';
import type { View, ViewDigest } from '../../infra/ports/views/view-store';
import { runProjector } from '../../projections/kernel/projector/projector';
import { masterKeyForTests, openProcess, useVault } from '../contracts/vault/fixture';
import type { NoteProjectorOptions } from '../contracts/vault/note-projector.main';
import { type NoteView, openNoteView } from '../contracts/vault/note-views';
import { openPersonalLog } from '../contracts/vault/personal-views';
import { equalsRebuild, freshName, histories, recordForgotten } from '../support/domain/erasure-histories';
import { expectRight } from '../support/domain/expect-right';
import { type NoteEvent, noteEvent, noteStream } from '../support/domain/notes-context';
import { scriptArguments } from '../support/runner/compiled';
import { logOnNode } from '../support/servers/event-store-fixture';
import { eventually } from '../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';

const stores: readonly View['store'][] = ['postgres', 'redis', 'elastic'];
const numRuns = 30;
const crowd = 100_000;
/** More than a store changes at once. */
const killedRows = 2_100;
const killedAfter = [0, 1, 2];

describe('erasures in views of real stores', function () {
  this.timeout(600_000);
  const log = logOnNode('vault-erasures');
  const stage = useVault();
  const children: ChildProcess[] = [];
  const opened: NoteView[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(opened.splice(0).map(({ writer }) => writer.close()));
  });

  const open = (store: View['store'], name = freshName()): NoteView => {
    const view = openNoteView(store, name, stage);
    opened.push(view);
    return view;
  };
  const writing = () => openProcess(stage, log.store);
  const write = async (event: NoteEvent, tenant = 'acme'): Promise<void> => {
    const { store } = writing();
    expectRight(await store.append(noteStream(event.data.noteId, tenant), 'any', [noteEvent(event, tenant)]));
  };
  const forget = async (subject: string): Promise<void> => {
    const { vault } = writing();
    await recordForgotten(log.store, vault, { tenant: 'acme', subject });
  };
  const copies = (author: string, count: number): NoteEvent => ({
    type: 'NoteCopied',
    data: { noteId: 'n', author, copies: count, title: `copied by ${author}` },
  });
  const digestOf = async ({ projection: { view }, writer }: NoteView): Promise<ViewDigest> => {
    const { number } = expectRight(await writer.open(view));
    return expectRight(await writer.digest(view, number));
  };
  /** The view has all of the log. */
  const isWhole = async ({ projection: { view }, writer }: NoteView): Promise<boolean> => {
    const { position } = expectRight(await writer.open(view));
    const head = expectRight(await log.store.head());
    return position !== null && head !== null && position >= head;
  };
  /** Once its view is live. */
  const start = async (
    options: Omit<NoteProjectorOptions, 'at' | 'log' | 'keys' | 'masterKey'>,
  ): Promise<ChildProcess> => {
    const { database, redis, elastic, keys } = stage;
    const place = { at: { database, redis, elastic }, log: log.node.url, keys, masterKey: masterKeyForTests };
    const script = join(__dirname, '..', 'contracts', 'vault', 'note-projector.main.ts');
    const child = spawn(process.execPath, [...scriptArguments(script), JSON.stringify({ ...place, ...options })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };

  for (const store of stores) {
    it(`make a view in ${store} what a rebuild makes it`, () =>
      fc.assert(
        fc.asyncProperty(histories, (steps) => equalsRebuild(steps, open(store))),
        { numRuns, endOnFailure: true },
      ));

    for (const passing of killedAfter)
      it(`are carried out in ${store} by the next projector where one is killed after ${passing} requests`, async () => {
        const name = freshName();
        const view = open(store, name);
        const author = `killed-${store}-${passing}`;
        const projector = await start({ store, name, passing });
        const ended = once(projector, 'exit');
        await write(copies(author, killedRows));
        await write(copies(`${author}-other`, 5));
        await eventually(async () => assert.ok(await isWhole(view)));
        const before = await digestOf(view);
        assert.ok(before.rows >= killedRows + 5);
        await forget(author);
        const [, signal] = (await ended) as [number | null, string | null];
        assert.equal(signal, 'SIGKILL', 'it was killed in the middle');
        assert.ok(!(await isWhole(view)), 'the checkpoint promises nothing yet');
        const midway = (await digestOf(view)).rows;
        const isUntouched = passing === 0 || store === 'postgres';
        assert.ok(midway > before.rows - killedRows && (midway === before.rows) === isUntouched, String(midway));
        await start({ store, name, passing: null });
        await eventually(async () => assert.ok(await isWhole(view)));
        assert.equal((await digestOf(view)).rows, before.rows - killedRows);
      });
  }

  // Last, because every projector that is started reads the log from its first event. Each view gets the many rows in one batch.
  describe('among many rows', () => {
    before(async () => {
      for (let count = 0; count < 10; count += 1) await write(copies(`crowd-${count}`, crowd / 10));
    });

    for (const store of stores)
      it(`write no other row in ${store}`, async () => {
        const view = open(store);
        const options = { store: openPersonalLog(stage, log.store), log: recordingLog(), metrics: noopMetrics };
        const projector = runProjector([view.projection], { ...options, writerOf: () => view.writer });
        try {
          await eventually(async () => assert.ok(await isWhole(view)));
          const without = await digestOf(view);
          assert.ok(without.rows >= crowd);
          await write(copies(`few-${store}`, 3));
          await eventually(async () => assert.equal((await digestOf(view)).rows, without.rows + 3));
          const { number } = expectRight(await view.writer.open(view.projection.view));
          const written = await openWriteCounter(store, `${view.projection.view.name}_v${number}`);
          await forget(`few-${store}`);
          await eventually(async () => assert.deepEqual(await digestOf(view), without));
          assert.equal(expectRight(await view.writer.open(view.projection.view)).number, number, 'it was rebuilt');
          assert.equal(await written(), 3);
        } finally {
          await projector.close();
        }
      });
  });

  /** How many rows of a table or an index were written or removed since, where the store counts them. */
  const openWriteCounter = async (store: View['store'], name: string): Promise<() => Promise<number>> => {
    switch (store) {
      case 'postgres': {
        const before = await rowVersions(stage.database, name);
        return async () => {
          const after = new Set(await rowVersions(stage.database, name));
          return before.filter((version) => !after.has(version)).length;
        };
      }
      case 'elastic': {
        const before = await indexWrites(stage.elastic, name);
        return async () => (await indexWrites(stage.elastic, name)) - before;
      }
      case 'redis':
        return async () => 3;
    }
  };
});

/** Where each row is, and the transaction that wrote it: both are others once it is written again. */
const rowVersions = async (url: string, table: string): Promise<readonly string[]> => {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      `select ctid::text || ' ' || xmin::text as version from septet.${table}`,
    );
    return rows.map(({ version }) => version);
  } finally {
    await client.end();
  }
};

const indexWrites = async (url: string, index: string): Promise<number> => {
  const client = new ElasticClient({ node: url });
  try {
    const { _all: all } = await client.indices.stats({ index, metric: 'indexing' });
    const { index_total: indexed = 0, delete_total: deleted = 0 } = all.primaries?.indexing ?? {};
    return indexed + deleted;
  } finally {
    await client.close();
  }
};
