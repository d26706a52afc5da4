/** Names of people from an encrypted log to the query API, on real stores: found, nowhere in plain, and gone with their person. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { authenticators, authenticatorsStream } from '../../../domain/identity/authenticators/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { subjectStream, subjects } from '../../../domain/privacy/subject/events';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import { registered, tenantId } from '../../identity/examples';
import { metadata, reader, stranger } from '../../identity/read-api/fixture';
import { signedHeader } from '../../support/http/http-service';
import { eventually } from '../../support/waiting/eventually';
import { dumpPostgres } from '../vault/store-dumps';
import { type ReadApiFixture, recordIn, startReadApiFixture } from './fixture';

const principalId = 'ada' as PrincipalId;

describe('names on real stores', function () {
  this.timeout(120_000);
  let stage: ReadApiFixture;
  let vault: Vault;
  let encrypting: EventStore;
  before(async () => {
    stage = await startReadApiFixture();
    const wrapping = openLocalWrapping({ directory: stage.keys, masterKey: stage.masterKey });
    vault = openVault({ table: openPostgresKeyTable(stage.postgres), wrapping });
    encrypting = openEncryptingStore(stage.store, vault);
  });
  after(async () => {
    await vault.close();
    await stage.close(stage.node);
  });

  const append = async (store: EventStore, stream: string, event: object): Promise<void> => {
    const stored = { id: randomUUID(), ...event, metadata: metadata(tenantId) };
    assert.ok(isRight(await store.append(stream, 'any', [stored as never])));
  };
  const found = async (q: string, identity = reader()) => {
    const path = `/v1/principals?q=${encodeURIComponent(q)}`;
    const response = await fetch(`http://127.0.0.1:${stage.port}${path}`, {
      headers: { 'septet-identity': signedHeader('GET', path, identity) },
    });
    const { items } = (await response.json()) as { items: { principalId: string; name: string; login: string }[] };
    return items.map(({ principalId: id, name, login }) => [id, name, login]);
  };

  it('are found and shown, in their tenant only, and are nowhere in plain; forgotten, they are gone', async () => {
    await recordIn(stage.store, { ...registered, data: { ...registered.data, principalId } } as never);
    const data = { principalId, login: 'ada@example.org', displayName: 'Ada Lovelace', email: null };
    await append(
      encrypting,
      authenticatorsStream(tenantId, principalId),
      authenticators.encode({ type: 'ProfileSet', data }),
    );
    await eventually(async () => assert.deepEqual(await found('love'), [['ada', 'Ada Lovelace', 'ada@example.org']]));
    assert.deepEqual(await found('love', stranger), []);
    assert.deepEqual(await found('lace'), []);
    const dump = await dumpPostgres(stage.postgres);
    for (const plain of ['Lovelace', 'lovelace', 'ada@example']) assert.ok(!dump.includes(plain), plain);

    const subject = vault.subjectOf(tenantId, principalId);
    const keys = await vault.keysOf(subject);
    assert.ok(isRight(keys));
    const event = { type: 'SubjectForgotten', data: { subject, keys: [...keys.right], reason: 'asked-for' } } as const;
    await append(stage.store, subjectStream(tenantId, subject), subjects.encode(event as never));
    await eventually(async () => {
      assert.deepEqual(await found('ada'), [['ada', null, null]], 'by its id');
      assert.deepEqual(await found('love'), []);
    });
  });
});
