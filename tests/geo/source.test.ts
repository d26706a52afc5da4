/** The right to write as a source: in feeds, and with imports from their creation to their end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { geoRoutes } from '../../commands/geo/routes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { mayWrite, source } from '../../domain/geo/source/decider';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId } from '../../domain/kernel/ids';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { Identity } from '../../infra/server/http/routing/route';
import { jsonOf } from '../identity/command-api';
import { given } from '../kernel/domain/given-when-then';
import { twiceIsOnce } from '../support/domain/arbitrary';
import { startHttpService } from '../support/http/http-service';

const [ada, bob] = ['ada' as PrincipalId, 'bob' as PrincipalId];
const set = (...writers: readonly PrincipalId[]) => ({ type: 'SetSourceWriters', source: 'guide', writers }) as const;
const reserved = (...writers: readonly PrincipalId[]) =>
  ({ type: 'SourceReserved', data: { source: 'guide', writers } }) as const;
const opened = { type: 'SourceOpened', data: { source: 'guide' } } as const;

describe('a source of places', () => {
  it('is reserved for some, once', () => {
    given(source)
      .when(set(bob, ada, bob))
      .then(reserved(ada, bob));
    given(source, reserved(ada, bob)).when(set(bob, ada)).thenNothing();
    given(source, reserved(ada)).when(set(bob)).then(reserved(bob));
  });

  it('is opened, once', () => {
    given(source, reserved(ada)).when(set()).then(opened);
    given(source).when(set()).thenNothing();
    given(source, reserved(ada), opened).when(set()).thenNothing();
  });

  it('is written by everybody while it is open, and by its writers while it is reserved', () => {
    assert.ok(mayWrite({ kind: 'open' }, 'bob'));
    const state = { kind: 'reserved', writers: [ada] } as const;
    assert.deepEqual([mayWrite(state, 'ada'), mayWrite(state, 'bob')], [true, false]);
  });

  it('has one event for a change that is repeated', () => {
    twiceIsOnce(
      source,
      fc.subarray([ada, bob]).map((writers) => set(...writers)),
    );
  });
});

describe('a source that is reserved', () => {
  const noBlobs = { uploads: async () => assert.fail('no upload is looked for') } as unknown as BlobStore;
  let service: Awaited<ReturnType<typeof startHttpService>>;
  const identityOf = (principalId: string, scopes = ['places:write']): Identity => ({
    tenantId: 'acme',
    principalId,
    principalType: 'PIPELINE',
    scopes,
    clientId: 'feeds',
    tokenId: 'token-1',
    authenticatedAt: Date.parse('2026-01-31T12:00:00.000Z'),
  });
  const call = (method: string, path: string, body: object | undefined, identity: Identity) =>
    service.call(path, {
      method,
      identity,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const change = (entity_id: string, named: string) => ({
    entity_id,
    version: 1,
    op: 'update',
    source: named,
    data: { name: 'Place', category: 'cafe', lat: 1, lng: 2 },
  });
  const outcomesOf = async (principalId: string, ...changes: readonly object[]) => {
    const answer = await call('POST', '/v1/places:batch', { changes }, identityOf(principalId));
    const { results } = (await answer.json()) as {
      results: readonly { readonly outcome: string; readonly code: string | null }[];
    };
    return results.map(({ outcome, code }) => code ?? outcome);
  };
  const reserve = (writers: readonly string[], identity = identityOf('admin', ['sources:write'])) =>
    call('PUT', '/v1/places/sources/guide/writers', { writers }, identity);
  const newImport = { fileName: 'a.csv', format: 'csv', size: 10, source: 'guide' };

  beforeEach(async () => {
    const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
    const random = { uuid: randomUUID, token: () => randomUUID() };
    service = await startHttpService(
      geoRoutes({ store: openMemoryEventStore(), commandMetrics: noCommandMetrics, clock, random, blobs: noBlobs }),
    );
  });
  afterEach(() => service.close());

  it('is reserved by administrators of sources only', async () => {
    assert.equal((await reserve(['ada'], identityOf('ada'))).status, 403);
    assert.equal((await reserve(['ada'])).status, 200);
  });

  it('takes changes of its writers, at once, and leaves other sources alone', async () => {
    assert.deepEqual(await outcomesOf('bob', change('before', 'guide')), ['recorded']);
    await reserve(['ada']);
    assert.deepEqual(await outcomesOf('bob', change('one', 'guide'), change('two', 'bobs')), [
      'source-reserved',
      'recorded',
    ]);
    assert.deepEqual(await outcomesOf('ada', change('one', 'guide')), ['recorded']);
    await reserve([]);
    assert.deepEqual(await outcomesOf('bob', change('three', 'guide')), ['recorded']);
  });

  it('takes no import of others, nor lets them touch one of its own', async () => {
    await reserve(['ada']);
    const refused = await call('POST', '/v1/places/imports', newImport, identityOf('bob'));
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [403, 'source-reserved']);
    const made = await call('POST', '/v1/places/imports', newImport, identityOf('ada'));
    assert.equal(made.status, 201);
    const { importId } = (await made.json()) as { importId: string };
    for (const path of ['parts', 'parts/1', 'upload', 'start', 'cancel']) {
      const body = path === 'parts/1' ? {} : undefined;
      const answer = await call('POST', `/v1/places/imports/${importId}/${path}`, body, identityOf('bob'));
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [403, 'source-reserved'], path);
    }
    assert.equal(
      (await call('POST', `/v1/places/imports/${importId}/cancel`, undefined, identityOf('ada'))).status,
      200,
    );
  });
});
