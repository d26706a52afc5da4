import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { openAccessSource } from '../../../../commands/editor/access/document-access';
import { documentStream, documents } from '../../../../domain/editor/document/events';
import type { DocumentKey } from '../../../../domain/editor/ids';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { coalesceReads } from '../../../../infra/adapters/eventstore/read/coalesced-reads';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { DocumentAccess } from '../../../../infra/server/documents/document-access';
import { eventually } from '../../../support/waiting/eventually';
import { recordingLog } from '../../../support/waiting/recording-log';
import * as example from '../examples';
import { created, documentId, joinedByLink, memberAdded, recorded, shared } from '../examples';
import { metadataOf } from './fixture';

const place: DocumentKey = { tenant: 'acme' as TenantId, documentId };
const stream = documentStream(place.tenant, documentId);

describe('access to a document', () => {
  let store: EventStore;
  let ending: AbortController;
  beforeEach(() => {
    store = openMemoryEventStore();
    ending = new AbortController();
  });
  afterEach(() => ending.abort());

  const append = async (...events: (typeof created)[]): Promise<void> => {
    const stored = events.map((event) => ({
      id: crypto.randomUUID(),
      ...documents.encode(event),
      metadata: metadataOf('acme'),
    }));
    assert.ok(isRight(await store.append(stream, 'any', stored)));
  };
  const open = (over: EventStore = store) =>
    openAccessSource({ store: coalesceReads(over), log: recordingLog(), signal: ending.signal });
  const about = async (access: ReturnType<typeof open>): Promise<DocumentAccess> => {
    const found = await access.read(place);
    assert.ok(isRight(found));
    return found.right;
  };

  it('is the stream’s current state', async () => {
    const access = open();
    assert.equal((await about(access)).state, 'none');
    await append(
      created,
      memberAdded(example.bob, 'editor'),
      shared(1, 'a', 'viewer'),
      joinedByLink(1, example.cem, 'viewer'),
    );
    const standing = await about(access);
    assert.deepEqual(
      [standing.state, standing.title, standing.revision, ...['ada', 'bob', 'cem', 'dee'].map(standing.roleOf)],
      ['active', 'Landing page', 3, 'owner', 'editor', 'viewer', undefined],
    );
    await append(recorded('MemberRemoved', { principalId: example.bob }), recorded('DocumentTrashed', {}));
    const now = await about(access);
    assert.deepEqual([now.state, now.roleOf('bob')], ['trashed', undefined]);
    assert.equal(standing.roleOf('bob'), 'editor');
  });

  it('is unavailable while the log is unavailable', async () => {
    await append(created);
    const away = { ...store, read: async () => left(fault('event-store-unavailable', 'It is away.')) };
    assert.ok(isLeft(await open(away).read(place)));
  });

  it('shares one read among concurrent requests', async () => {
    await append(created);
    let reads = 0;
    const counting: EventStore = {
      ...store,
      read: (...parameters) => {
        reads += 1;
        return store.read(...parameters);
      },
    };
    const access = open(counting);
    await Promise.all(Array.from({ length: 50 }, () => access.read(place)));
    assert.equal(reads, 2);
  });

  it('notifies watchers of every change, in order, until they unsubscribe', async () => {
    await append(created);
    const access = open();
    const [told, others]: [DocumentAccess[], DocumentAccess[]] = [[], []];
    const stop = access.watch(place, (standing) => told.push(standing));
    access.watch({ ...place, tenant: 'other' as TenantId }, (standing) => others.push(standing));
    await append(memberAdded(example.bob, 'viewer'));
    await eventually(async () => assert.equal(told.at(-1)?.roleOf('bob'), 'viewer'));
    await append(recorded('DocumentTrashed', {}));
    await eventually(async () => assert.equal(told.at(-1)?.state, 'trashed'));
    const revisions = told.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((one, other) => one - other),
    );
    assert.ok(others.every(({ state }) => state === 'none'));
    stop();
    const seen = told.length;
    const again: DocumentAccess[] = [];
    access.watch(place, (standing) => again.push(standing));
    await append(recorded('DocumentRestored', {}));
    await eventually(async () => assert.equal(again.at(-1)?.state, 'active'));
    assert.equal(told.length, seen);
  });

  it('notifies watchers after an outage of the log', async () => {
    await append(created);
    let isAway = true;
    const away: EventStore = {
      ...store,
      head: async () => (isAway ? left(fault('event-store-unavailable', 'It is away.')) : store.head()),
    };
    const access = open(away);
    const changes: DocumentAccess[] = [];
    access.watch(place, (standing) => changes.push(standing));
    await append(memberAdded(example.bob, 'viewer'));
    assert.equal(changes.length, 0);
    isAway = false;
    await eventually(async () => assert.equal(changes.at(-1)?.roleOf('bob'), 'viewer'));
  });

  it('ends with the process', async () => {
    const access = open();
    ending.abort();
    await access.ended;
  });
});
