/** The storage of a tenant in a running system: reserved by sessions, used by uploads, free again after the deletion. */
import assert from 'node:assert/strict';
import { uploadFile } from '../../support/files/upload-file';
import { contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Usage {
  readonly usedBytes: number;
  readonly reservedBytes: number;
  readonly limitBytes: number;
  readonly files: number;
  readonly openUploads: number;
}

describe('the storage of a tenant', function () {
  this.timeout(120_000);
  let system: System;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
  });
  after(() => system.close());

  const usageOf = (tenant: Tenant) => contentOf<Usage>(tenant.read('/v1/file-usage'));
  const openSession = (tenant: Tenant, number: number, sizeBytes: number) =>
    tenant.send('POST', '/v1/files/upload-sessions', {
      ...{ filename: `${number}.txt`, mimeType: 'text/plain', sizeBytes },
    });
  const untilUsage = (tenant: Tenant, expected: Partial<Usage>) =>
    eventually(async () => {
      const usage = await usageOf(tenant);
      assert.deepEqual({ ...usage, ...expected }, usage);
    });

  it('takes 50 sessions at once', async () => {
    const tenant = await openTenant(system);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => openSession(tenant, number, 100)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const { usedBytes, reservedBytes, files, openUploads } = await usageOf(tenant);
    assert.deepEqual([usedBytes, reservedBytes, files, openUploads], [0, 5_000, 50, 50]);
  });

  it('is used by what is uploaded, in the trash as well, until the file is deleted for ever', async () => {
    const tenant = await openTenant(system);
    assert.equal((await usageOf(tenant)).files, 0);
    const content = Buffer.from('The garden has three gates.\n');
    const { fileId } = await uploadFile(tenant, { filename: 'a.txt', mimeType: 'text/plain', content });
    await untilUsage(tenant, { usedBytes: content.length, reservedBytes: 0, files: 1 });
    await uploadFile(tenant, { fileId, mimeType: 'text/plain', content });
    await untilUsage(tenant, { usedBytes: 2 * content.length, reservedBytes: 0, files: 1 });
    await contentOf(tenant.send('POST', `/v1/files/${fileId}/trash`, {}));
    assert.equal((await usageOf(tenant)).usedBytes, 2 * content.length);
    await contentOf(tenant.send('DELETE', `/v1/files/${fileId}`, {}));
    await untilUsage(tenant, { usedBytes: 0, reservedBytes: 0, files: 0 });
  });

  it('refuses a session beyond its limit, and says what is left', async () => {
    const tenant = await openTenant(system);
    assert.equal((await openSession(tenant, 1, 60)).status, 201);
    const limits = { limits: { bytes: 100, files: 10 } };
    await system.record(`files.storage-${tenant.tenantId}.1`, 'files.StorageLimitsSet.v1', limits, tenant.tenantId);
    const refused = await openSession(tenant, 2, 41);
    const problem = (await refused.json()) as { readonly code: string; readonly detail: string };
    assert.deepEqual([refused.status, problem.code], [409, 'storage-quota-exceeded']);
    assert.match(problem.detail, /100 bytes, 0 are used and 60 reserved by open uploads; 40 are left/);
    assert.equal((await openSession(tenant, 3, 40)).status, 201);
    const other = await openTenant(system);
    assert.equal((await openSession(other, 1, 41)).status, 201);
  });
});
