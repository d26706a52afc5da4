/** The log as personal views read it: which events are opened is decided by the order of the log alone. */
import assert from 'node:assert/strict';
import { left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { isForgotten } from '../../../domain/kernel/secret';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryKeyTable, memoryWrapping } from '../../../infra/adapters/vault/memory-vault';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import { openLogInErasureOrder } from '../../../projections/privacy/erase-in-log-order';
import { recordForgotten } from '../../support/domain/erasure-histories';
import { expectRight } from '../../support/domain/expect-right';
import { noteEvent, noteStream } from '../../support/domain/notes-context';
import { recordingLog } from '../../support/waiting/recording-log';

const filter = { streams: ['notes.', 'privacy.subject-'] };

describe('the log for personal views', () => {
  let log: EventStore;
  let parts: Parameters<typeof openVault>[0];
  let erasures: number;
  let isAway: boolean;
  const opened: Vault[] = [];
  beforeEach(() => {
    log = openMemoryEventStore();
    parts = { table: memoryKeyTable(), wrapping: memoryWrapping() };
    erasures = 0;
    isAway = false;
  });
  afterEach(() => Promise.all(opened.splice(0).map((vault) => vault.close())));

  const fresh = (): Vault => {
    const vault = openVault(parts);
    opened.push(vault);
    return vault;
  };
  const openReader = (): EventStore => {
    const vault = fresh();
    const erase: Vault['erase'] = async (keys) => {
      if (isAway) return left(fault('vault-unavailable', 'The vault is away.'));
      erasures += keys.length;
      return vault.erase(keys);
    };
    const deps = { store: openEncryptingStore(log, vault), log: recordingLog() };
    return openLogInErasureOrder({ ...deps, vault: { ...vault, erase } });
  };
  /** A command process with the subject's key in memory. */
  const openWriter = () => {
    const store = openEncryptingStore(log, fresh());
    return async (title: string): Promise<bigint> => {
      const event = noteEvent({ type: 'NoteTitled', data: { noteId: 'n', author: 'ann', title } }, 'acme');
      return expectRight(await store.append(noteStream('n', 'acme'), 'any', [event])).position;
    };
  };
  const forget = () => recordForgotten(log, fresh(), { tenant: 'acme', subject: 'ann' });
  const titles = async (reader: EventStore, after: bigint | null = null): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { data } of reader.readAll({ after, filter })) {
      const { title } = data as { readonly title?: unknown };
      if (title !== undefined) found.push(isForgotten(title) ? 'forgotten' : String(title));
    }
    return found;
  };

  it('opens no event after an erasure that nobody has carried out, also where the key is in memory', async () => {
    const write = openWriter();
    const reader = openReader();
    await write('before');
    assert.deepEqual(await titles(reader), ['before']);
    await forget();
    await write('after');
    assert.deepEqual(await titles(reader), ['before', 'forgotten']);
    assert.deepEqual(await titles(reader), ['forgotten', 'forgotten']);
  });

  it('opens none for a reader that begins behind an erasure which it has not read', async () => {
    const write = openWriter();
    const reader = openReader();
    await write('before');
    assert.deepEqual(await titles(reader), ['before']);
    await forget();
    const behind = expectRight(await log.head());
    await write('after');
    assert.deepEqual(await titles(reader, behind), ['forgotten']);
  });

  it('carries out what was recorded while no reader ran, once', async () => {
    const write = openWriter();
    await write('before');
    await forget();
    assert.deepEqual(await titles(openReader()), ['forgotten']);
    assert.deepEqual(await titles(openReader()), ['forgotten']);
    assert.equal(erasures, 1);
  });

  it('begins again where the log was replaced by a shorter one', async () => {
    const write = openWriter();
    await write('before');
    await forget();
    expectRight(await parts.table.recordErasedTo(1_000_000n));
    assert.deepEqual(await titles(openReader()), ['forgotten']);
    assert.equal(erasures, 1);
  });

  it('does not count what was erased of a replaced log once the new one has grown past it', async () => {
    const write = openWriter();
    await write('before');
    expectRight(await parts.table.recordErasedTo((expectRight(await log.head()) ?? 0n) + 1n));
    await titles(openReader());
    await forget();
    await write('after');
    await write('later');
    assert.deepEqual(await titles(openReader()), ['forgotten', 'forgotten', 'forgotten']);
  });

  it('hands out nothing behind an erasure while the vault is away, and goes on', async () => {
    const write = openWriter();
    const reader = openReader();
    await write('before');
    assert.deepEqual(await titles(reader), ['before']);
    await forget();
    await write('after');
    isAway = true;
    await assert.rejects(titles(reader), /The vault is away/);
    await assert.rejects(titles(openReader()), /The vault is away/);
    isAway = false;
    // Dropped from memory at the first attempt, but not erased then.
    assert.deepEqual(await titles(reader), ['forgotten', 'forgotten']);
  });

  it('follows live events in the same order', async () => {
    const write = openWriter();
    const reader = openReader();
    const ending = new AbortController();
    const found: unknown[] = [];
    await write('before');
    for await (const notification of reader.subscribeAll({ after: null, filter, signal: ending.signal })) {
      if (notification.kind !== 'event') continue;
      found.push((notification.event.data as { readonly title?: unknown }).title);
      if (found.length === 1) await forget();
      if (found.length === 2) await write('after');
      if (found.length === 3) ending.abort();
    }
    assert.equal(found[0], 'before');
    assert.ok(isForgotten(found[2]));
  });
});
