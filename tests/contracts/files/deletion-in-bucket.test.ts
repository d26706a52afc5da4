/** The deletion of a file whose bytes lie in a bucket that keeps versions: none is left, and no mark of a removal. */
import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import { openDeletionMetrics } from '../../../commands/files/deletion/metrics';
import { performDeletion } from '../../../commands/files/deletion/perform-deletion';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import type { WorkerAdapters } from '../../../commands/kernel/work-queue/job-handler';
import { versionKey } from '../../../domain/files/content/keys';
import { deletionStream } from '../../../domain/files/deletion/events';
import type { FileId } from '../../../domain/files/ids';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { expectRight } from '../../support/domain/expect-right';
import { jobRun } from '../../support/processes/job-run';
import { openFileHistory, versionOf } from '../../support/retrieval/file-history';
import { needs } from '../../support/runner/prerequisites';
import { type S3ForTests, s3ForTests, versionedBucket } from '../../support/servers/s3-server';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const tenant = 'acme' as TenantId;
const now = '2026-11-30T12:00:00.000Z' as Instant;

describe('a deleted file in a bucket with versions', function () {
  this.timeout(120_000);
  let server: S3ForTests;
  let blobs: BlobStore;
  needs('bucket');
  before(async () => {
    server = await s3ForTests();
    blobs = openS3Blobs(versionedBucket(server.options));
  });
  after(async () => {
    await blobs.close();
    await server.stop();
  });

  const put = async (key: string, text: string) => {
    const body = Buffer.from(text);
    expectRight(await blobs.put({ key, body, size: body.length, contentType: 'text/plain' }));
  };
  const versionsOf = async (key: string) => expectRight(await blobs.versions(key)).length;

  it('has no version, no mark of a removal and no unfinished upload, and others keep theirs', async () => {
    const fileId = `file-${Date.now()}` as FileId;
    const other = versionKey(tenant, `${fileId}x` as FileId, versionOf(fileId));
    const vault = memoryVault();
    const store = openEncryptingStore(openMemoryEventStore(), vault);
    const putContent = (key: string, bytes: Buffer) => put(key, bytes.toString());
    const history = openFileHistory({ store, putContent }, tenant);
    await history.addFile(fileId, ['The notice period is three months.']);
    await history.openVersion(fileId, 2);
    await history.openVersion(fileId, 3);
    const [raw, removed, unfinished] = [1, 2, 3].map((number) =>
      versionKey(tenant, fileId, versionOf(fileId, number)),
    ) as [string, string, string];
    await put(raw, 'once');
    await put(raw, 'twice');
    await put(removed, 'stored');
    expectRight(await blobs.remove(removed));
    expectRight(await blobs.beginUpload({ key: unfinished, contentType: 'text/plain' }));
    await put(other, 'of another file');
    assert.deepEqual([await versionsOf(raw), await versionsOf(removed)], [2, 2]);
    await history.access({ type: 'FileHidden', data: { fileId, reason: 'deleted' } });

    const indexedRows: WorkerAdapters['indexedRows'] = {
      count: async () => right({ rows: 0, copies: 1 }),
      groups: async () => right([]),
      remove: async () => right(0),
      close: async () => undefined,
    };
    const deps = {
      ...{ store, blobs, vault, indexedRows, log: recordingLog(), metrics: noopMetrics },
      ...{ commandMetrics: noCommandMetrics, clock: { now: () => now } },
    } as unknown as WorkerAdapters;
    const job = {
      ...{ id: 'job-1', queue: 'files-deletion', kind: 'k', key: 'k', tenant, attempt: 1, token: 1, priority: 0 },
      ...{ payload: { fileId, cause: 'person' as const }, mostAttempts: 9, deadline: null, deadlineMilliseconds: null },
      cause: { correlationId: 'c', causationId: 'e', depth: 1 },
    };
    assert.deepEqual(await performDeletion(deps, openDeletionMetrics(deps))(job, jobRun()), right([]));

    const events = expectRight(await store.read(deletionStream(tenant, fileId)));
    assert.equal(events.at(-1)?.type, 'files.FileDeleted.v1');
    for (const key of [raw, removed, unfinished]) {
      assert.equal(await versionsOf(key), 0);
      assert.deepEqual(expectRight(await blobs.uploads(key)), []);
    }
    assert.deepEqual(expectRight(await blobs.list({ prefix: `files/${tenant}/${fileId}/` })).blobs, []);
    assert.equal(await versionsOf(other), 1);
  });
});
