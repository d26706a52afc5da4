/** What people notice of a document while something that the editor rests on is away: their edits go on, or wait, and none is lost. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { Operation } from '../../../../domain/editor/operation';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import { writer } from '../../../editor/document-owner/fixture';
import type { Person } from '../../../editor/sessions/fixture';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { skip } from '../../../support/runner/skip';
import { type DedicatedValkey, startDedicatedValkey } from '../../../support/servers/dedicated-valkey';
import { type NodeProcess, startEventStoreNode } from '../../../support/servers/event-store-node';
import { canMount, fillDisk, mountSmallDisks, unmountSmallDisk } from '../../../support/servers/small-disk';
import { eventually } from '../../../support/waiting/eventually';
import { type EditorProcess, recordDocument, startEditor } from '../sessions/fixture';
import { idsIn, largeOperations, submitUntilCommitted } from './edits';

describe('documents during outages', () => {
  const [home, blobs] = [temporaryDirectory('editor-faults'), temporaryDirectory('editor-faults-blobs')];
  const mounted = canMount();
  if (mounted) mountSmallDisks({ [home.path]: 32 });
  const [data, away] = [join(home.path, 'data'), `${blobs.path}-away`];
  let node: NodeProcess;
  let store: EventStore;
  let redis: DedicatedValkey;
  let editor: EditorProcess;
  before(async () => {
    // First, since it may be missing, and nothing is to be left running then.
    redis = await startDedicatedValkey();
    node = await startEventStoreNode(data);
    store = openEventStore({ url: node.url });
    editor = await startEditor({ EVENTSTORE_URL: node.url, REDIS_URL: redis.url, BLOBS_DIR: blobs.path });
  });
  after(async () => {
    await editor.kill('SIGTERM');
    await Promise.all([store.close(), redis.stop()]);
    await node.stop();
    if (mounted) unmountSmallDisk(home.path);
    home.remove();
    blobs.remove();
  });

  const open = async () => {
    const documentId = await recordDocument(store);
    const ada = await editor.comes(documentId, 'ada');
    return { documentId, ada, write: writer((await ada.join()).clientId) };
  };
  const reported = async (path: string): Promise<string> => (await editor.request(path, 'ada')).text();
  const figure = async (name: string): Promise<number> =>
    Number((await reported('/metrics')).split(`\n${name} `)[1]?.split('\n')[0] ?? 0);
  const healthOf = async (part: string) => {
    const { status, parts } = JSON.parse(await reported('/healthz')) as {
      readonly status: string;
      readonly parts: { readonly [part: string]: { readonly ok: boolean } };
    };
    return [status, parts[part]?.ok];
  };
  const commit = async (person: Person, ...operations: readonly Operation[]): Promise<void> => {
    person.send(...operations);
    await submitUntilCommitted(person, operations);
  };

  it('are edited and joined without object storage, and have their snapshot when it is back', async () => {
    const { documentId, ada, write } = await open();
    renameSync(blobs.path, away);
    await eventually(async () => assert.deepEqual(await healthOf('object-storage'), ['ready', false]));
    for (const from of [1, 7, 13, 19]) await commit(ada, ...largeOperations(write, from));
    const snapshots = (how: string) => figure(`editor_snapshots_total{how="${how}",service="editor"}`);
    await eventually(async () => assert.notEqual(await snapshots('failed'), 0));
    const bob = await editor.comes(documentId, 'bob');
    assert.equal((await bob.join()).committedVersion, 24);
    while ((await bob.receive('operations')).toVersion < 24);
    await eventually(async () => assert.ok((await figure('editor_unkept_bytes{service="editor"}')) > 1_000_000));
    renameSync(away, blobs.path);
    await eventually(async () => assert.notEqual(await snapshots('taken'), 0));
    await eventually(async () => assert.deepEqual(await healthOf('object-storage'), ['ready', true]));
  });

  it('are edited without Redis, also opened, and found with their owners when it is back', async () => {
    const { documentId, ada, write } = await open();
    await redis.kill();
    await commit(ada, write.create(1));
    await eventually(async () => assert.deepEqual(await healthOf('redis'), ['ready', false]));
    await commit(ada, write.create(2));
    const other = await open();
    await commit(other.ada, other.write.create(1));
    await redis.restart();
    const keys = [documentId, other.documentId].map((id) => `document-owner:editor.log-acme.${id}`);
    await eventually(async () => assert.equal(await redis.admin.exists(...keys), 2));
    await commit(ada, write.create(3));
  });

  it('wait for the log, and go on where it was', async () => {
    const { documentId, ada, write } = await open();
    await commit(ada, write.create(1));
    await node.kill();
    const sent = write.create(2);
    ada.send(sent);
    await eventually(async () => assert.deepEqual(await healthOf('event-store'), ['not-ready', false]));
    node = await startEventStoreNode(data, node.port);
    await submitUntilCommitted(ada, [sent]);
    await eventually(async () =>
      assert.deepEqual(await idsIn(store, documentId), [`${write.clientId}-1`, `${write.clientId}-2`]),
    );
  });

  it('wait for room on the log’s disk, and nothing of them is there twice', async function () {
    if (!mounted) skip(this, 'full disks: file systems cannot be mounted here');
    const { documentId, ada, write } = await open();
    await commit(ada, ...largeOperations(write, 1));
    const empty = fillDisk(home.path);
    const noise = { id: randomUUID(), type: 'x', data: { text: 'x'.repeat(300_000) }, metadata: {} };
    assert.ok(isLeft(await store.append('noise', 'any', [noise])));
    const sent = largeOperations(write, 7);
    ada.send(...sent);
    await eventually(async () => assert.equal(await figure('editor_appends_under_way{service="editor"}'), 1));
    empty();
    await submitUntilCommitted(ada, sent);
    const ids = await idsIn(store, documentId);
    assert.deepEqual([ids.length, new Set(ids).size], [12, 12]);
  });
});
