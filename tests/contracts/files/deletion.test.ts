/** A file that was deleted for ever, in a running system: it is found no more with the answer, and soon no store has anything of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantId } from '../../../domain/kernel/ids';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import { expectRight } from '../../support/domain/expect-right';
import { countDocuments, findInStores, type SearchedSystem } from '../../support/files/store-search';
import { type UploadedFile, uploadFile } from '../../support/files/upload-file';
import { contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, runningStoresOf, type SharedSystem, type System } from '../../support/processes/running-system';
import { elasticsearchForTests, fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Deletion {
  readonly status: 'DELETING' | 'DELETED';
  readonly steps: readonly {
    readonly name: string;
    readonly status: string;
    readonly removed: number;
    readonly left: number | null;
  }[];
  readonly failure: string | null;
}

describe('a deleted file', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let searched: SearchedSystem;

  before(async () => {
    const shared = JSON.parse(await fromRunner('system')) as SharedSystem;
    system = openSystem(shared);
    tenant = await openTenant(system);
    searched = { ...shared, elasticsearchUrl: (await elasticsearchForTests()).url };
  });
  after(() => system.close());

  const upload = (word: string, more: { readonly filename?: string } = {}) =>
    uploadFile(tenant, {
      filename: `${word} plan.txt`,
      mimeType: 'text/plain',
      content: Buffer.from(`The garden of ${word} has three gates.\n`),
      ...more,
    });
  const statusOf = async ({ fileId }: Pick<UploadedFile, 'fileId'>) =>
    (await contentOf<{ readonly status: string }>(tenant.read(`/v1/files/${fileId}/status`))).status;
  const untilReady = (file: UploadedFile) => eventually(async () => assert.equal(await statusOf(file), 'READY'));
  const find = async (query: string): Promise<readonly string[]> => {
    const body = { query, mode: 'keyword' };
    const found = await contentOf<{ readonly results: readonly { readonly fileId: string }[] }>(
      tenant.send('POST', '/v1/retrieval/search', body),
    );
    return found.results.map(({ fileId }) => fileId);
  };
  const deleteFile = (fileId: string) =>
    contentOf<{ readonly status: string }>(tenant.send('DELETE', `/v1/files/${fileId}`, {}));
  const deletionOf = (fileId: string) => contentOf<Deletion>(tenant.read(`/v1/files/${fileId}/deletion`));
  const untilDeleted = async (fileId: string): Promise<Deletion> => {
    await eventually(async () => {
      const deletion = await deletionOf(fileId);
      assert.equal(deletion.status, 'DELETED', JSON.stringify(deletion));
    });
    return deletionOf(fileId);
  };
  const removedBy = ({ steps }: Deletion) => Object.fromEntries(steps.map(({ name, removed }) => [name, removed]));

  it('is found no more with the answer, and soon is in no store', async () => {
    const word = 'Quibberwoldia';
    const file = await upload(word);
    const { fileId } = file;
    await untilReady(file);
    await eventually(async () => assert.deepEqual(await find(word), [fileId]));
    const before = await findInStores(system, searched, word);
    assert.ok(before.some((place) => place.startsWith('object ')) && before.includes('1 documents'), before.join());

    assert.deepEqual(await deleteFile(fileId), { fileId, status: 'DELETING' });
    assert.deepEqual(await find(word), []);
    assert.equal((await tenant.read(`/v1/files/${fileId}/status`)).status, 404);

    const deletion = await untilDeleted(fileId);
    assert.deepEqual(
      deletion.steps.map(({ name, status, left }) => [name, status, left]),
      ['processing', 'index', 'objects', 'key', 'proof'].map((name) => [name, 'DONE', 0]),
    );
    const { objects = 0, ...others } = removedBy(deletion);
    assert.ok(objects >= 4, `${objects} objects: the bytes, elements, facts, chunks and vectors`);
    assert.deepEqual(others, { processing: 1, index: 1, key: 1, proof: 0 });
    await eventually(async () => assert.deepEqual(await findInStores(system, searched, word), []));
    const stored = { url: searched.elasticsearchUrl, prefix: searched.indexPrefix };
    assert.equal(await countDocuments(stored, { term: { fileId } }), 0);

    assert.deepEqual(await deleteFile(fileId), { fileId, status: 'DELETED' });
    const list = await tenant.list<Deletion & { readonly fileId: string }>('/v1/file-deletions?status=DELETED');
    assert.deepEqual(
      list.map((one) => one.fileId),
      [fileId],
    );
  });

  it('has a name that no key opens', async () => {
    const { fileId } = await upload('Wimblefrost');
    const { POSTGRES_URL: url } = runningStoresOf(searched.data);
    const masterKey = Buffer.from(readFileSync(join(searched.data, 'secrets', 'master-key'), 'utf8'), 'base64url');
    const wrapping = openLocalWrapping({ directory: join(searched.data, 'keys'), masterKey });
    const vault = openVault({ table: openPostgresKeyTable(url), wrapping });
    const subject = vault.subjectOf(tenant.tenantId as TenantId, fileId);
    const [keyId = ''] = expectRight(await vault.keysOf(subject));
    assert.notEqual(expectRight(await vault.find(keyId, false)).bytes, null);
    await deleteFile(fileId);
    await untilDeleted(fileId);
    vault.drop([keyId]);
    assert.equal(expectRight(await vault.find(keyId, false)).bytes, null);
    assert.deepEqual(expectRight(await vault.keysOf(subject)), []);
    await vault.close();
  });

  it('may have had three versions, and a place in the trash', async () => {
    const words = ['Vrothimble', 'Zandicoot', 'Perquillow'];
    const file = await upload(words[0] ?? '', { filename: 'plan.txt' });
    await untilReady(file);
    for (const word of words.slice(1)) {
      const content = Buffer.from(`The garden of ${word} has three gates.\n`);
      const version = await uploadFile(tenant, { mimeType: 'text/plain', content, fileId: file.fileId });
      await eventually(async () => assert.deepEqual(await find(word), [version.fileId]));
    }
    await contentOf(tenant.send('POST', `/v1/files/${file.fileId}/trash`, {}));
    await deleteFile(file.fileId);
    const { processing } = removedBy(await untilDeleted(file.fileId));
    assert.equal(processing, 3);
    for (const word of words)
      await eventually(async () => assert.deepEqual(await findInStores(system, searched, word), []));
  });

  it('is removed while it is being uploaded, and while it is being processed', async () => {
    const content = Buffer.from('The garden of Ombletrice has three gates.\n');
    const session = await contentOf<{
      fileId: string;
      versionId: string;
      uploadUrl: string;
      uploadHeaders: Record<string, string>;
    }>(
      tenant.send('POST', '/v1/files/upload-sessions', {
        filename: 'a.txt',
        mimeType: 'text/plain',
        sizeBytes: content.length,
      }),
    );
    const stored = await fetch(session.uploadUrl, { method: 'PUT', headers: session.uploadHeaders, body: content });
    assert.equal(stored.status, 200);
    const processed = await upload('Ombletrice');
    await Promise.all([deleteFile(session.fileId), deleteFile(processed.fileId)]);
    const complete = `/v1/files/${session.fileId}/versions/${session.versionId}/complete`;
    const completed = await tenant.send('POST', complete, { checksumSha256: 'ab'.repeat(32) });
    assert.equal(completed.status, 404);
    assert.equal(removedBy(await untilDeleted(session.fileId)).objects, 1);
    await untilDeleted(processed.fileId);
    await eventually(async () => assert.deepEqual(await findInStores(system, searched, 'Ombletrice'), []));
  });

  it('shows its deletion to its owner and to administrators alone', async () => {
    const other = await openTenant(system);
    const { fileId } = await upload('Cribblesnout');
    await deleteFile(fileId);
    const never = await tenant.read('/v1/files/never/deletion');
    assert.equal(never.status, 404);
    const theirs = await other.read(`/v1/files/${fileId}/deletion`);
    assert.deepEqual([theirs.status, await other.list('/v1/file-deletions')], [404, []]);
    await untilDeleted(fileId);
  });

  it('is not deleted while it is held, and not held once it is deleted', async () => {
    const { fileId } = await upload('Thornwhistle');
    const hold = (reason: string) => tenant.send('PUT', `/v1/files/${fileId}/hold`, { reason });
    await contentOf(hold('Case 2026-117'));
    const refused = await tenant.send('DELETE', `/v1/files/${fileId}`, {});
    assert.equal(refused.status, 409);
    assert.match(((await refused.json()) as { readonly detail: string }).detail, /legal hold/);
    await contentOf(tenant.send('POST', `/v1/files/${fileId}/trash`, {}));
    await contentOf(tenant.send('DELETE', `/v1/files/${fileId}/hold`, {}));
    await deleteFile(fileId);
    assert.equal((await hold('Too late')).status, 409);
    await untilDeleted(fileId);
    assert.equal((await tenant.send('PUT', '/v1/files/never/hold', { reason: 'x' })).status, 404);
  });
});
