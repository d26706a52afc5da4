/** The deletion of a file by a worker: on object storage, a log and a vault, ended at every call to any of them and begun again. */
import assert from 'node:assert/strict';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { openDeletionMetrics } from '../../commands/files/deletion/metrics';
import { performDeletion } from '../../commands/files/deletion/perform-deletion';
import { performExpiry } from '../../commands/files/deletion/perform-expiry';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import type { WorkerAdapters } from '../../commands/kernel/work-queue/job-handler';
import { versionKey } from '../../domain/files/content/keys';
import { type DeletionEvent, deletionSteps, deletionStream, deletions } from '../../domain/files/deletion/events';
import { fileStream, files } from '../../domain/files/file/events';
import type { FileId, VersionId } from '../../domain/files/ids';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../infra/adapters/vault/memory-vault';
import type { BlobStore } from '../../infra/ports/blob-store';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jobRun } from '../support/processes/job-run';
import { openFileHistory, versionOf } from '../support/retrieval/file-history';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';

const tenant = 'acme' as TenantId;
const now = '2026-11-30T12:00:00.000Z' as Instant;

class Killed extends Error {}

/** Counts calls of stores; the one with that number ends the worker, which has the effects of all before. */
const killable = <Store extends object>(store: Store, calls: { next: number; readonly killAt: number }): Store =>
  Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      typeof call !== 'function'
        ? call
        : (...given: unknown[]): unknown => {
            const isLast = calls.next === calls.killAt;
            calls.next += 1;
            if (isLast) throw new Killed();
            return (call as (...all: unknown[]) => unknown)(...given);
          },
    ]),
  ) as Store;

describe('a worker that deletes a file', () => {
  const directory = temporaryDirectory('deletion');
  let blobs: BlobStore;
  let number = 0;
  before(() => {
    const url = 'http://127.0.0.1/blobs';
    blobs = expectRight(openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url }));
  });
  after(async () => {
    await blobs.close();
    directory.remove();
  });

  /** A file with two versions, one of them indexed, and an upload that was begun. */
  const openStage = async ({ isDeleted = true } = {}) => {
    number += 1;
    const fileId = `file-${number}` as FileId;
    const vault = memoryVault();
    const store = openEncryptingStore(openMemoryEventStore(), vault);
    const putContent = async (key: string, body: Buffer) =>
      void expectRight(await blobs.put({ key, body, size: body.length, contentType: 'text/plain' }));
    const history = openFileHistory({ store, putContent }, tenant);
    await history.addFile(fileId, ['The notice period is three months.']);
    await putContent(versionKey(tenant, fileId, versionOf(fileId)), Buffer.from('notice'));
    await history.openVersion(fileId, 2);
    const second = versionKey(tenant, fileId, versionOf(fileId, 2));
    expectRight(await blobs.beginUpload({ key: second, contentType: 'text/plain' }));
    if (isDeleted) await history.access({ type: 'FileHidden', data: { fileId, reason: 'deleted' } });

    const log = recordingLog();
    const indexed = { rows: 0, isBehind: false };
    const indexedRows: WorkerAdapters['indexedRows'] = {
      count: async () => right({ rows: indexed.rows, copies: 1 }),
      groups: async () => right([]),
      remove: async () => right(0),
      close: async () => undefined,
    };
    const adapters = { store, blobs, vault, indexedRows };
    let attempt = 0;
    /** Under a claim of its own. */
    const perform = async (changed: Partial<WorkerAdapters> = {}, clockAt = now) => {
      attempt += 1;
      const deps = {
        ...{ ...adapters, log, metrics: noopMetrics, commandMetrics: noCommandMetrics, clock: { now: () => clockAt } },
        ...changed,
      } as unknown as WorkerAdapters;
      const job = {
        ...{ id: 'job-1', queue: 'files-deletion', kind: 'files-deletion', key: 'k', tenant, attempt, token: attempt },
        ...{ payload: { fileId, cause: 'person' as const }, priority: 0, mostAttempts: 9, deadline: null },
        ...{ deadlineMilliseconds: null, cause: { correlationId: 'c', causationId: 'e', depth: 1 } },
      };
      return performDeletion(deps, openDeletionMetrics(deps))(job, jobRun());
    };
    const events = async (): Promise<readonly DeletionEvent[]> =>
      expectRight(await store.read(deletionStream(tenant, fileId))).map(({ type, data }) =>
        expectRight(deletions.decode(type, data)),
      );
    const objects = async () => {
      const listed = expectRight(await blobs.list({ prefix: `files/acme/${fileId}/` })).blobs.length;
      return listed + expectRight(await blobs.uploads(second)).length;
    };
    const name = async () => {
      const [created] = expectRight(await store.read(fileStream(tenant, fileId)));
      const event = expectRight(files.decode(created?.type ?? '', created?.data));
      return event.type === 'FileCreated' ? event.data.name : undefined;
    };
    /** What the log, as it is decrypted, and object storage still have of its name and its text. */
    const remains = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      const isOfFile = (content: string) => /Lease 2026|Late\.pdf|notice/.test(content);
      for await (const { stream, type, data } of store.readAll({ after: null }))
        if (stream.includes(fileId) && isOfFile(JSON.stringify(data))) found.push(type);
      for (const { key } of expectRight(await blobs.list({ prefix: `files/acme/${fileId}/` })).blobs) found.push(key);
      return found;
    };
    return { fileId, history, adapters, indexed, log, perform, events, objects, name, putContent, remains };
  };

  const stepsOf = (events: readonly DeletionEvent[]) =>
    events.flatMap(({ type, data }) => (type === 'DeletionStepCompleted' ? [[data.step, data.removed]] : []));

  const isDeleted = async ({ events, objects, name, remains }: Awaited<ReturnType<typeof openStage>>) => {
    const recorded = await events();
    assert.deepEqual(
      stepsOf(recorded).map(([step]) => step),
      deletionSteps,
    );
    assert.equal(recorded.filter(({ type }) => type === 'FileDeleted').length, 1);
    assert.deepEqual([await objects(), await name()], [0, { forgotten: true }]);
    assert.deepEqual(await remains(), []);
  };

  it('removes everything of it, and records how much', async () => {
    const stage = await openStage();
    assert.equal(await stage.objects(), 4);
    assert.ok((await stage.remains()).length > 4, 'names in the log, and objects');
    assert.deepEqual(await stage.perform(), right([]));
    await isDeleted(stage);
    assert.deepEqual(stepsOf(await stage.events()), [
      ['processing', 1],
      ['index', 1],
      ['objects', 4],
      ['key', 1],
      ['proof', 0],
    ]);
  });

  it('may be ended between any two calls, and another one finishes it', async () => {
    for (let killAt = 0; ; killAt += 1) {
      const stage = await openStage();
      const calls = { next: 0, killAt };
      const { store, vault, ...others } = stage.adapters;
      const ended = await stage
        .perform({
          store: killable(store, calls),
          vault: { ...vault, ...killable({ keysOf: vault.keysOf, erase: vault.erase }, calls) },
          blobs: killable(others.blobs, calls),
          indexedRows: killable(others.indexedRows, calls),
        })
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return undefined;
        });
      if (ended === undefined) assert.ok(isRight(await stage.perform()));
      await isDeleted(stage);
      if (ended === undefined) continue;
      assert.ok(killAt > 60, `only ${killAt} calls`);
      return;
    }
  }).timeout(120_000);

  it('goes on as long as the index has something of it, and says so', async () => {
    const stage = await openStage();
    stage.indexed.rows = 3;
    for (const _ of [1, 2, 3]) assert.ok(isLeft(await stage.perform()));
    const delays = (await stage.events()).flatMap(({ type, data }) => (type === 'DeletionStepDelayed' ? [data] : []));
    assert.deepEqual(
      delays.map(({ step, attempt, reason }) => [step, attempt, reason]),
      [1, 2].map((attempt) => ['index', attempt, '3 are left of the step index.']),
    );
    assert.equal(await stage.objects(), 4);
    const later = '2026-11-30T13:00:00.000Z' as Instant;
    assert.ok(isLeft(await stage.perform({}, later)));
    assert.ok(stage.log.lines.some((line) => JSON.stringify(line).includes('the deletion of a file is overdue')));
    stage.indexed.rows = 0;
    assert.ok(isRight(await stage.perform()));
    await isDeleted(stage);
  });

  it('removes what comes afterwards, when it looks again', async () => {
    const stage = await openStage();
    await stage.perform();
    const late = versionKey(tenant, stage.fileId, versionOf(stage.fileId, 2));
    await stage.putContent(late, Buffer.from('late bytes'));
    await stage.putContent(`files/acme/${stage.fileId}/v1/p1/chunks-late`, Buffer.from('{}'));
    await stage.history.ofFile(stage.fileId, { type: 'FileRenamed', data: { fileId: stage.fileId, name: 'Late.pdf' } });
    assert.ok(isRight(await stage.perform()));
    await isDeleted(stage);
    assert.deepEqual((await stage.events()).at(-1), {
      type: 'RemainsRemoved',
      data: { fileId: stage.fileId, removed: 2 },
    });
    const [renamed] = expectRight(await stage.adapters.store.read(fileStream(tenant, stage.fileId))).slice(-1);
    const event = expectRight(files.decode(renamed?.type ?? '', renamed?.data));
    assert.deepEqual(event.type === 'FileRenamed' && event.data.name, { forgotten: true });
  });

  it('touches nothing of a file that is not deleted', async () => {
    const stage = await openStage({ isDeleted: false });
    const refused = await stage.perform();
    assert.equal(isLeft(refused) && refused.left.kind, 'permanent');
    assert.deepEqual([await stage.objects(), await stage.events()], [4, []]);
  });

  it('removes the bytes of an upload that expired, and no others', async () => {
    const stage = await openStage({ isDeleted: false });
    const { store } = stage.adapters;
    const [first, second] = [versionOf(stage.fileId), versionOf(stage.fileId, 2)];
    const expire = (versionId: VersionId, what: 'upload' | 'file' = 'upload') =>
      performExpiry({ store, blobs })(
        { tenant, payload: { fileId: stage.fileId, versionId, what } } as never,
        jobRun(),
      );
    for (const versionId of [first, second]) assert.deepEqual(await expire(versionId), right([]));
    assert.equal(await stage.objects(), 4);
    await stage.history.ofFile(stage.fileId, {
      type: 'VersionExpired',
      data: { fileId: stage.fileId, versionId: second },
    });
    assert.deepEqual(await expire(second), right([]));
    assert.equal(await stage.objects(), 3);
    assert.deepEqual(await expire(second, 'file'), right([]));
    await stage.history.createFile('never-uploaded');
    await stage.history.ofFile('never-uploaded', {
      type: 'VersionExpired',
      data: { fileId: 'never-uploaded' as FileId, versionId: versionOf('never-uploaded') },
    });
    const abandoned = await performExpiry({ store, blobs })(
      { tenant, payload: { fileId: 'never-uploaded', versionId: versionOf('never-uploaded'), what: 'file' } } as never,
      jobRun(),
    );
    assert.deepEqual(
      expectRight(abandoned).map(({ to, command }) => [to, command]),
      [['files.access', { type: 'PurgeFile', fileId: 'never-uploaded', cause: 'abandoned' }]],
    );
  });
});
