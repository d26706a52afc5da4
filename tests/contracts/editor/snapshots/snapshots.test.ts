/** Snapshots made by the thread that makes them in use, in a directory. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { openSnapshots } from '../../../../commands/editor/document-owner/snapshot-store';
import type { ClientId } from '../../../../domain/editor/ids';
import { canonicalScene } from '../../../../domain/editor/scene/canonical-scene';
import { emptyScene, iterateNodes, type Scene } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import { openBlobs } from '../../../../infra/adapters/blobs/open-blob-store';
import { pieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import { openSnapshotWorker, type SnapshotWorker } from '../../../../infra/server/documents/snapshots/snapshot-worker';
import { openVersionSnapshots } from '../../../../infra/server/documents/snapshots/version-snapshot';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { capturedLog } from '../../../support/http/http-service';
import { typescript } from '../../../support/runner/compiled';
import { batch, clientId, documentId, pagesOf, sceneOf } from './numbered-log';

const tenant = 'acme' as TenantId;
const place = { tenant, documentId };
const idRun = { high: Uint32Array.of(1, 2), low: Uint32Array.of(3, 4), actors: Uint32Array.of(5, 6) };
const clients = { clients: [[clientId, 'p-1', 9] as [ClientId, string, number]], recent: [], idRuns: [idRun] };

const textOf = (scene: Scene): string => [...canonicalScene(scene)].join('\n');

describe('snapshots of documents', () => {
  const home = temporaryDirectory('editor-snapshots');
  const directory = join(home.path, 'blobs');
  const config = { BLOBS_DIR: directory, BLOBS_KEY: 'k'.repeat(43), S3_REGION: 'us-east-1' } as never;
  const log = capturedLog();
  let worker: SnapshotWorker;
  const opened = () => {
    const blobs = openBlobs(config, 'http://septet.test/blobs');
    assert.ok(isRight(blobs));
    return blobs.right;
  };
  before(() => {
    worker = openSnapshotWorker({ stored: pieceBlobs(opened()), execArgv: typescript(), log });
  });
  after(async () => {
    await worker.close();
    home.remove();
  });
  const storeOver = (events: readonly unknown[]) =>
    openSnapshots({
      stored: pieceBlobs(opened()),
      worker,
      at: openVersionSnapshots({ pages: pagesOf(events), worker }),
    });
  const taken = async (scene: Scene, version: number, previous?: Snapshot): Promise<Snapshot> => {
    const before = previous === undefined ? {} : { previous };
    const request = { documentKey: place, version, changed: [...iterateNodes(scene)], removed: [], clients, ...before };
    const snapshot = await storeOver([]).take(request);
    assert.ok(isRight(snapshot), JSON.stringify(snapshot));
    return snapshot.right;
  };
  const loaded = async (snapshot: Snapshot): Promise<string> => {
    const scene = emptyScene();
    const table = await storeOver([]).load(place, snapshot, scene);
    assert.ok(isRight(table), JSON.stringify(table));
    return textOf(scene);
  };

  it('are read back as they were, clients and all', async () => {
    const scene = sceneOf(3_000);
    const snapshot = await taken(scene, 3_000);
    const again = emptyScene();
    assert.deepEqual(await storeOver([]).load(place, snapshot, again), right(clients));
    assert.equal(textOf(again), textOf(scene));
  });

  it('can be had of every version that there was, and of none that there was not', async () => {
    const snapshot = await taken(sceneOf(20), 20);
    const until = Array.from({ length: 45 }, (_, index) => batch(index + 1));
    // Recorded a little after what it is of.
    const events = [...until.slice(0, 23), { type: 'SnapshotTaken', data: { epoch: 1, snapshot } }, ...until.slice(23)];
    const owned = { type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'o-1' } };
    const store = storeOver([owned, ...events]);
    for (const version of [0, 1, 19, 20, 21, 23, 24, 45]) {
      const at = await store.atVersion(place, version);
      assert.ok(isRight(at), JSON.stringify(at));
      assert.equal(at.right.version, version);
      assert.equal(await loaded(at.right), textOf(sceneOf(version)), `version ${version}`);
    }
    const never = await store.atVersion(place, 46);
    assert.ok(isLeft(never) && never.left.code === 'version-unknown');
  });

  it('that are spoilt on the disk are refused', async () => {
    const snapshot = await taken(sceneOf(700), 700);
    const blobs = opened();
    const body = Buffer.from('not it');
    await blobs.put({ key: snapshot.compressedSceneKey, body, size: body.length, contentType: 'application/gzip' });
    const refused = await storeOver([]).load(place, snapshot, emptyScene());
    assert.ok(isLeft(refused) && refused.left.code === 'snapshot-damaged');
  });

  it('wait for object storage that is away', async () => {
    const away = left(fault('snapshots-unavailable' as const, 'It is away.'));
    let isAway = true;
    const stored = pieceBlobs(opened());
    const other = openSnapshotWorker({
      stored: { ...stored, put: async (named) => (isAway ? away : stored.put(named)) },
      execArgv: typescript(),
      log,
    });
    const making = { documentId, version: 1, changed: [], removed: [], clients };
    assert.deepEqual(await other.run(tenant, { kind: 'make', input: making }), away);
    isAway = false;
    assert.ok(isRight(await other.run(tenant, { kind: 'make', input: making })));
    await other.close();
  });

  it('are made by another thread when one has ended', async () => {
    const spoilt = { documentId, version: 1, changed: undefined as never, removed: [], clients };
    const ended = await worker.run(tenant, { kind: 'make', input: spoilt });
    assert.ok(isLeft(ended) && ended.left.code === 'snapshots-unavailable');
    assert.equal((await taken(sceneOf(5), 5)).version, 5);
  });
});
