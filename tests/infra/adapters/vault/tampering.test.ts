import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../../infra/adapters/vault/memory-vault';
import type { EventStore, StoredEvent } from '../../../../infra/ports/event-store';
import { joined, memberStream, recordMember } from '../../../support/domain/personal-context';
import { dataOf as data, readAllEvents } from './read-all-ways';

/** Replaces recorded events, as an attacker with write access to the log's files could. */
const tampered = (store: EventStore, change: (event: StoredEvent) => StoredEvent): EventStore => ({
  ...store,
  readAll: async function* (request) {
    for await (const event of store.readAll(request)) yield change(event);
  },
});

describe('a sealed field', () => {
  it('opens nothing that was changed or moved, and says which field', async () => {
    const log = openMemoryEventStore();
    const vault = memoryVault();
    await recordMember(openEncryptingStore(log, vault), joined('m-1', 'Ada', 'ada@septet.example'));
    const [event] = await readAllEvents(log);
    const sealed = data(event) as Record<string, { key: string; sealed: string }>;
    const flipped = (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`;
    const attacks: Record<string, (stored: StoredEvent) => StoredEvent> = {
      'a changed byte': (stored) => ({
        ...stored,
        data: { ...sealed, name: { ...sealed.name, sealed: flipped(sealed.name?.sealed ?? '') } },
      }),
      'another field': (stored) => ({ ...stored, data: { ...sealed, name: sealed.mail } }),
      'another stream': (stored) => ({ ...stored, stream: memberStream('m-9') }),
      'another type': (stored) => ({ ...stored, type: 'sample.MemberRenamed.v1' }),
      'another event': (stored) => ({ ...stored, id: '00000000-0000-8000-8000-000000000000' }),
      'no ciphertext': (stored) => ({ ...stored, data: { ...sealed, name: 'Eve' } }),
      'a stump': (stored) => ({ ...stored, data: { ...sealed, name: { ...sealed.name, sealed: 'AAAA' } } }),
    };
    for (const [attack, change] of Object.entries(attacks)) {
      const [found] = await readAllEvents(openEncryptingStore(tampered(log, change), vault));
      const { damaged = [] } = (found?.metadata ?? {}) as { damaged?: readonly string[] };
      assert.ok(damaged.includes('name'), attack);
      assert.notEqual(data(found).name, 'Ada', attack);
    }
    await vault.close();
  });
});
