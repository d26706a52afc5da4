/** Routes that name a principal: it must be one of the tenant, and active; and administrators hand over what has no active owner. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileRoutes } from '../../../commands/files/routes';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { fileStream, files } from '../../../domain/files/file/events';
import type { FileId } from '../../../domain/files/ids';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { Identity } from '../../../infra/server/http/routing/route';
import { noon } from '../../editor/documents/examples';
import { metadataOf } from '../../editor/documents/routes/fixture';
import { expectRight } from '../../support/domain/expect-right';
import { startHttpService } from '../../support/http/http-service';

const tenantId = 'acme' as TenantId;
const fileId = 'f'.repeat(32) as FileId;

const someone = (principalId: string, scopes = ['files:write']): Identity => ({
  ...{ tenantId, principalId: principalId as PrincipalId, principalType: 'HUMAN', scopes, tokenId: 'jti' },
});
const ada = someone('ada');
const root = someone('root', ['files:write', 'files:admin']);

interface Refusal {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

describe('principals that files are given to', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  let append: (
    stream: string,
    event: { readonly type: string; readonly data: unknown },
    tenant?: string,
  ) => Promise<void>;
  const principalEvent = (principalId: string, type: string, data: object, tenant = 'acme') =>
    append(
      principalStream(tenant as TenantId, principalId as PrincipalId),
      principals.encode({ type, data: { principalId, ...data } } as never),
      tenant,
    );
  const register = (principalId: string, tenant = 'acme') =>
    principalEvent(
      principalId,
      'PrincipalRegistered',
      { tenantId: tenant, principalType: 'HUMAN', createdAt: noon },
      tenant,
    );
  const suspend = (principalId: string) => principalEvent(principalId, 'PrincipalSuspended', { reason: 'left' });
  const send = async (line: string, by: Identity, body?: object): Promise<readonly [number, Refusal]> => {
    const [method = '', path = ''] = line.split(' ');
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const answer = await service.call(path, { method, identity: by, headers, ...sent });
    return [answer.status, (await answer.json()) as Refusal];
  };

  beforeEach(async () => {
    const store = openEncryptingStore(openMemoryEventStore(), memoryVault());
    append = async (stream, event, tenant = 'acme') =>
      void expectRight(
        await store.append(stream, 'any', [{ id: randomUUID(), ...event, metadata: metadataOf(tenant) }]),
      );
    service = await startHttpService(
      fileRoutes({
        store,
        commandMetrics: noCommandMetrics,
        clock: { now: () => new Date().toISOString() as Instant },
        random: { uuid: randomUUID, token: () => randomUUID() },
      } as never),
    );
    for (const one of ['ada', 'bob', 'root', 'sue']) await register(one);
    await register('eve', 'other');
    await suspend('sue');
    const data = { fileId, ownerId: 'ada', folderId: null, name: 'Lease.pdf', mimeType: 'application/pdf' };
    await append(fileStream(tenantId, fileId), files.encode({ type: 'FileCreated', data } as never));
  });
  afterEach(() => service.close());

  it('exist, are of the tenant and are active: others are refused by the name of the field', async () => {
    const folder = await send('POST /v1/file-folders', ada, { name: 'Contracts' });
    const group = await send('POST /v1/file-groups', ada, { name: 'Legal' });
    const { folderId } = folder[1] as { readonly folderId: string };
    const { groupId } = group[1] as { readonly groupId: string };
    const requests = (principalId: string) =>
      [
        [`PUT /v1/files/${fileId}/owner`, { ownerId: principalId }, '/body/ownerId'],
        [`PUT /v1/file-folders/${folderId}/owner`, { ownerId: principalId }, '/body/ownerId'],
        [
          `POST /v1/files/${fileId}/grants`,
          { principalType: 'user', principalId, role: 'viewer' },
          '/body/principalId',
        ],
        [
          `POST /v1/file-folders/${folderId}/grants`,
          { principalType: 'user', principalId, role: 'viewer' },
          '/body/principalId',
        ],
        [`PUT /v1/file-groups/${groupId}/members/${principalId}`, undefined, '/params/principalId'],
      ] as const;
    for (const [principalId, status, code] of [
      ['Ben', 422, 'principal-unknown'],
      ['eve', 422, 'principal-unknown'],
      ['sue', 409, 'principal-inactive'],
    ] as const)
      for (const [line, body, pointer] of requests(principalId)) {
        const [answered, refusal] = await send(line, ada, body);
        assert.deepEqual([answered, refusal.code, refusal.errors?.[0]?.pointer], [status, code, pointer], line);
        assert.match(refusal.detail ?? '', new RegExp(pointer.slice(pointer.lastIndexOf('/') + 1)));
      }
    // In this order the owner gives the file and the folder away last.
    for (const [line, body] of requests('bob').toReversed()) {
      const [answered, refusal] = await send(line, ada, body);
      assert.ok(answered < 300, `${line}: ${JSON.stringify(refusal)}`);
    }
  });

  it('are refused alike for files that are not shared with the caller and that never were', async () => {
    const never = fileId.replaceAll('f', 'e');
    for (const ownerId of ['nobody', 'bob']) {
      const [real, unknown] = [
        await send(`PUT /v1/files/${fileId}/owner`, someone('bob'), { ownerId }),
        await send(`PUT /v1/files/${never}/owner`, someone('bob'), { ownerId }),
      ];
      assert.deepEqual([real[0], real[1].code, real[1].detail], [unknown[0], unknown[1].code, unknown[1].detail]);
    }
  });

  it('are appointed by administrators where the owner is no longer active, and by them alone', async () => {
    const folder = await send('POST /v1/file-folders', ada, { name: 'Contracts' });
    const { folderId } = folder[1] as { readonly folderId: string };
    const handOver = async (path: string, by: Identity, ownerId: string) => {
      const [status, { code }] = await send(`PUT ${path}/owner`, by, { ownerId });
      return [status, code];
    };
    for (const [path, unknown] of [
      [`/v1/files/${fileId}`, 'file-unknown'],
      [`/v1/file-folders/${folderId}`, 'folder-unknown'],
    ] as const)
      assert.deepEqual(await handOver(path, root, 'bob'), [404, unknown]);
    await suspend('ada');
    for (const [path, unknown] of [
      [`/v1/files/${fileId}`, 'file-unknown'],
      [`/v1/file-folders/${folderId}`, 'folder-unknown'],
    ] as const) {
      assert.deepEqual(await handOver(path, someone('bob'), 'bob'), [404, unknown]);
      assert.deepEqual(await handOver(path, root, 'nobody'), [422, 'principal-unknown']);
      assert.deepEqual(await handOver(path, root, 'bob'), [200, undefined]);
      assert.deepEqual(await handOver(path, root, 'root'), [404, unknown]);
      assert.deepEqual(await handOver(path, someone('bob'), 'root'), [200, undefined]);
    }
  });
});
