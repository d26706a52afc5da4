/** What operators and tenants find in the log: streams, events, what they changed, and what caused them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PrincipalEvent } from '../../../../domain/identity/principal/events';
import { issued, reactivated, registered, suspended } from '../../../identity/examples';
import {
  admin,
  type Json,
  metadataOf,
  operator,
  type Platform,
  startPlatform,
  stranger,
  type TestResponse,
} from './fixture';

const of = (event: PrincipalEvent, principalId: string): PrincipalEvent =>
  ({ ...event, data: { ...event.data, principalId } }) as PrincipalEvent;

const named = (prefix: string): string => `/v1/platform/streams?prefix=${encodeURIComponent(prefix)}`;
const eventsOf = (stream: string): string => `/v1/platform/streams/${encodeURIComponent(stream)}/events`;
const revisions = ({ body }: TestResponse): readonly unknown[] => body.items.map(({ revision }) => revision);

describe('the platform’s queries of the log', function () {
  this.timeout(120_000);
  let platform: Platform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());

  it('orders streams by when they were created or changed, and finds those of an aggregate', async () => {
    for (const id of ['order-0', 'order-1', 'order-2']) await platform.principal(of(registered, id), 'acme');
    const position = await platform.principal(of(suspended, 'order-0'), 'acme');
    const listed = async (query: string) => {
      const found: unknown[] = [];
      for (let cursor = ''; ; ) {
        const path = `${named('identity.principal-acme.order-')}&limit=2&${query}${cursor}`;
        const { body } = await platform.get(path, operator, position);
        found.push(...body.items.map(({ id }) => id));
        if (body.next === undefined) return found;
        cursor = `&cursor=${encodeURIComponent(String(body.next))}`;
      }
    };
    assert.deepEqual(await listed('order=changed'), ['order-0', 'order-2', 'order-1']);
    assert.deepEqual(await listed('order=created'), ['order-2', 'order-1', 'order-0']);
    assert.deepEqual(await listed('order=created&direction=asc'), ['order-0', 'order-1', 'order-2']);
    assert.deepEqual(await listed('order=name&direction=desc'), ['order-2', 'order-1', 'order-0']);
    assert.deepEqual(await listed('aggregate=principal'), ['order-0', 'order-1', 'order-2']);
    assert.deepEqual(await listed('aggregate=client'), []);
    const { items } = (await platform.get('/v1/platform/event-types', admin)).body;
    assert.ok((items as unknown as readonly string[]).includes('identity.PrincipalSuspended.v1'));
  });

  it('finds streams by how they begin, by context and by a part of their name, a page at a time', async () => {
    let position = 0n;
    for (let count = 0; count < 7; count += 1)
      position = await platform.principal(of(registered, `listed-${count}`), 'acme');
    position = await platform.principal(of(suspended, 'listed-3'), 'acme');
    const first = await platform.get(`${named('identity.principal-acme.listed-')}&limit=4`, operator, position);
    assert.deepEqual(
      first.body.items.map(({ id }) => id),
      ['listed-0', 'listed-1', 'listed-2', 'listed-3'],
    );
    const { events, firstRevision, lastRevision, lastType, context, aggregate, tenantId } = first.body.items[3] as Json;
    assert.deepEqual([events, firstRevision, lastRevision, lastType], [2, 0, 1, 'identity.PrincipalSuspended.v1']);
    assert.deepEqual([context, aggregate, tenantId], ['identity', 'principal', 'acme']);
    const cursor = `&cursor=${encodeURIComponent(String(first.body.next))}`;
    const rest = await platform.get(`${named('identity.principal-acme.listed-')}&limit=4${cursor}`, operator);
    assert.deepEqual(
      [rest.body.items.map(({ id }) => id), rest.body.next],
      [['listed-4', 'listed-5', 'listed-6'], undefined],
    );
    const searched = await platform.get('/v1/platform/streams?search=sted-5&context=identity', admin);
    assert.deepEqual(
      searched.body.items.map(({ id }) => id),
      ['listed-5'],
    );
    assert.deepEqual((await platform.get('/v1/platform/streams?search=sted-5&context=files')).body.items, []);
    assert.equal(
      (await platform.get(`${named('identity')}&limit=4${cursor}`)).status,
      400,
      'a cursor of another query',
    );
  });

  it('reads a stream both ways, from anywhere in it', async () => {
    const stream = 'identity.principal-acme.read';
    await platform.principal(of(registered, 'read'), 'acme');
    for (let count = 0; count < 4; count += 1) await platform.principal(of(suspended, 'read'), 'acme');
    const path = eventsOf(stream);
    const pages = [
      await platform.get(`${path}?limit=2`),
      await platform.get(`${path}?limit=2&from=2`),
      await platform.get(`${path}?limit=2&from=4`),
    ];
    assert.deepEqual(
      pages.map((page) => [revisions(page), page.body.next]),
      [
        [[0, 1], 2],
        [[2, 3], 4],
        [[4], undefined],
      ],
    );
    const back = await platform.get(`${path}?direction=backwards&limit=2`);
    assert.deepEqual([revisions(back), back.body.next], [[4, 3], 2]);
    const rest = await platform.get(`${path}?direction=backwards&limit=9&from=${back.body.next}`);
    assert.deepEqual([revisions(rest), rest.body.next], [[2, 1, 0], undefined]);
    assert.deepEqual((await platform.get(`${path}?from=9`)).body.items, []);
    const [event] = (await platform.get(path)).body.items;
    assert.deepEqual(
      [event?.type, event?.stream, event?.contentType],
      ['identity.PrincipalRegistered.v1', stream, 'application/json'],
    );
  });

  it('shows what an event changed', async () => {
    const stream = 'identity.principal-acme.changed';
    for (const event of [registered, suspended, issued('c-1'), reactivated])
      await platform.principal(of(event, 'changed'), 'acme');
    const one = async (revision: number) => (await platform.get(`${eventsOf(stream)}/${revision}`, admin)).body;
    const second = await one(1);
    const [status] = second.changes as Json[];
    assert.deepEqual(status, { op: 'replace', path: '/status', value: 'SUSPENDED', was: 'ACTIVE' });
    assert.deepEqual([(second.before as Json).status, (second.after as Json).status], ['ACTIVE', 'SUSPENDED']);
    const third = await one(2);
    const { value, ...added } = (third.changes as Json[])[0] as Json;
    assert.deepEqual(added, { op: 'add', path: '/credentials/c-1' });
    assert.deepEqual((value as Json).secretHash, { withheld: true });
    assert.deepEqual(((third.event as Json).data as Json).secretHash, { withheld: true });
    assert.ok(!JSON.stringify(third).includes('ab'.repeat(8)), 'the hash of a secret is shown');
    assert.equal((await platform.call(`${eventsOf(stream)}/4`)).status, 404);
  });

  it('says why there is no state', async () => {
    const stream = 'files.upload-acme.unknown';
    await platform.record({ stream, type: 'files.UploadStarted.v1', data: {}, metadata: metadataOf('acme') });
    const { body } = await platform.get(`${eventsOf(stream)}/0`);
    assert.equal(body.stateOmitted, 'Streams of this kind have no state.');
    assert.ok(!('before' in body) && (body.event as Json).id);
  });

  it('finds an event by its id, and everything one request led to as a tree', async () => {
    const [root, child, grandchild, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const correlation = `r/${randomUUID()}`;
    const put = (id: string, cause: string, commandId: string) =>
      platform.record({
        id,
        stream: `files.upload-acme.${id}`,
        type: 'files.UploadStarted.v1',
        data: {},
        metadata: metadataOf('acme', { $correlationId: correlation, $causationId: cause, commandId }),
      });
    await put(root, 'k-root', 'k-root');
    await put(child, root, 'k-child');
    await put(other, 'k-root', 'k-other');
    const position = await put(grandchild, child, 'k-grandchild');
    const path = `/v1/platform/causes/${encodeURIComponent(correlation)}`;
    const tree = (await platform.get(path, admin, position)).body;
    assert.deepEqual(
      tree.items.map(({ id, depth }) => [id, depth]),
      [
        [root, 0],
        [child, 1],
        [grandchild, 2],
        [other, 1],
      ],
    );
    const part = (await platform.get(`${path}?limit=2`)).body;
    assert.deepEqual([part.items.length, part.truncated], [2, true]);
    const found = await platform.get(`/v1/platform/events/${child}`, admin, position);
    assert.deepEqual([found.body.stream, found.body.revision], [`files.upload-acme.${child}`, 0]);
    assert.ok(BigInt(found.headers.get('position') ?? '0') >= position);
    assert.equal((await platform.get(`/v1/platform/events/${child}`, stranger, position)).status, 404);
    assert.deepEqual((await platform.get(path, stranger)).body, { items: [], truncated: false });
  });
});
