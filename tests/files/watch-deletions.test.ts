/** The gauge of open deletions: of the log alone, so that it rises while no worker begins any. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openDeletions, watchDeletions } from '../../commands/files/deletion/watch-deletions';
import type { BackgroundDeps } from '../../commands/kernel/context';
import { fileAccess } from '../../domain/files/access/events';
import { deletions } from '../../domain/files/deletion/events';
import type { FileId } from '../../domain/files/ids';
import type { Instant } from '../../domain/kernel/codec';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { StoredEvent } from '../../infra/ports/event-store';
import { expectRight } from '../support/domain/expect-right';
import { eventually } from '../support/waiting/eventually';
import { recordingLog } from '../support/waiting/recording-log';

const noon = Date.parse('2026-11-30T12:00:00.000Z');
const fileId = 'lease' as FileId;
const hidden = fileAccess.encode({ type: 'FileHidden', data: { fileId, reason: 'deleted' } });
const trashed = fileAccess.encode({ type: 'FileHidden', data: { fileId, reason: 'trashed' } });
const deleted = deletions.encode({
  type: 'FileDeleted',
  data: { fileId, deletedAt: '2026-11-30T13:00:00.000Z' as Instant },
});

const eventOf = ({ type, data }: { type: string; data: unknown }, { tenant = 'acme', minute = 0 } = {}) => ({
  ...{ id: randomUUID(), type, data, metadata: { tenant, at: new Date(noon + minute * 60_000).toISOString() } },
  stream: type === deleted.type ? `files.deletion-${tenant}.lease` : `files.access-${tenant}.workspace`,
});
const stored = (...given: Parameters<typeof eventOf>): StoredEvent => ({
  ...eventOf(...given),
  revision: 0,
  position: 1n,
});

describe('the age of open deletions', () => {
  it('is that of the oldest file that was deleted, and not of one in the trash', () => {
    const open = openDeletions();
    open.apply(stored(trashed));
    assert.deepEqual([open.count(), open.oldestSeconds(noon)], [0, 0]);
    open.apply(stored(hidden, { minute: 5 }));
    open.apply(stored(hidden, { tenant: 'other', minute: 1 }));
    assert.deepEqual([open.count(), open.oldestSeconds(noon + 600_000)], [2, 540]);
    open.apply(stored(deleted, { tenant: 'other' }));
    assert.deepEqual([open.count(), open.oldestSeconds(noon + 600_000)], [1, 300]);
  });

  it('is published although no worker begins the deletion', async () => {
    const store = openMemoryEventStore();
    const { stream, ...event } = eventOf(hidden);
    expectRight(await store.append(stream, 'any', [event]));
    const published = new Map<string, number>();
    const metrics = {
      gauge:
        ({ name }: { name: string }) =>
        (value: number) =>
          void published.set(name, value),
    };
    const ending = new AbortController();
    const deps = { store, metrics, log: recordingLog(), signal: ending.signal } as unknown as BackgroundDeps;
    const watching = watchDeletions(deps);
    await eventually(async () => assert.equal(published.get('files_open_deletions'), 1));
    assert.ok((published.get('files_oldest_deletion_seconds') ?? -1) >= 0);
    ending.abort();
    await watching;
  });
});
