/** Imports of files in a running system, whole by one signed request. */
import assert from 'node:assert/strict';
import { contentOf, type Tenant } from '../identity/tenant';
import { eventually } from '../waiting/eventually';

export interface PlaceImport {
  readonly status: string;
  readonly lines: number;
  readonly recorded: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly refusedListed: number;
  readonly permille: number;
  readonly reason: string | null;
}

export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the id of an import that waits for its file. */
export const createImport = async ({ send }: Tenant, file: string | Buffer, more: object): Promise<string> => {
  const body = { fileName: 'places', source: 'file', size: Buffer.byteLength(file), ...more };
  return (await contentOf<{ importId: string }>(send('POST', '/v1/places/imports', body))).importId;
};

export const uploadFile = async (tenant: Tenant, file: string | Buffer, more: object): Promise<string> => {
  const importId = await createImport(tenant, file, more);
  const signed = tenant.send('POST', `/v1/places/imports/${importId}/upload`, {});
  const { url, headers } = await contentOf<SignedUpload>(signed);
  const stored = await fetch(url, { method: 'PUT', headers, body: file });
  assert.ok(stored.ok, await stored.text());
  return importId;
};

export const startImport = async (tenant: Tenant, file: string | Buffer, more: object): Promise<string> => {
  const importId = await uploadFile(tenant, file, more);
  await contentOf(tenant.send('POST', `/v1/places/imports/${importId}/start`, {}));
  return importId;
};

export const endedImport = async ({ read }: Tenant, importId: string): Promise<PlaceImport> => {
  let found: PlaceImport | undefined;
  await eventually(async () => {
    found = await contentOf<PlaceImport>(read(`/v1/places/imports/${importId}`));
    assert.ok(['completed', 'failed', 'cancelled'].includes(found.status), found.status);
  });
  return found as PlaceImport;
};

/** Once it is visible. */
export const visibleEntity = async <Entity>({ read }: Tenant, id: string): Promise<Entity> => {
  let entity: Entity | undefined;
  await eventually(async () => {
    const answer = await read(`/v1/entities/${encodeURIComponent(id)}`);
    assert.equal(answer.status, 200);
    entity = (await answer.json()) as Entity;
  });
  return entity as Entity;
};
