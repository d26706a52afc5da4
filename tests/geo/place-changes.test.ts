import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { decodeChange } from '../../commands/geo/changes/decode-change';
import { geoRoutes } from '../../commands/geo/routes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { Place } from '../../domain/geo/place/place';
import { Entity, toEntity } from '../../domain/geo/protocol/entity';
import { PlaceChange } from '../../domain/geo/protocol/place-change';
import type { Instant } from '../../domain/kernel/codec';
import { storedForm, textFault } from '../../domain/kernel/readable-text';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Identity } from '../../infra/server/http/routing/route';
import { placesProjection } from '../../projections/geo/places/project';
import type { PlaceRow } from '../../projections/geo/places/view';
import { rowsAfter } from '../identity/projections/rows';
import { valuesOf } from '../support/domain/arbitrary';
import { startHttpService } from '../support/http/http-service';

const feeder: Identity = {
  tenantId: 'acme',
  principalId: 'feeder',
  principalType: 'PIPELINE',
  scopes: ['places:write'],
  tokenId: 'jti-1',
};
const data = { name: 'Café de Flore', category: 'cafe', lat: 48.854, lng: 2.3326 };
const change = (entity_id: string, version: number, fields: object = {}) => ({
  entity_id,
  version,
  op: 'update',
  source: 'feed',
  occurred_at: null,
  data: { ...data, ...fields },
});
const removal = (entity_id: string, version: number) => ({
  entity_id,
  version,
  op: 'delete',
  source: 'feed',
  data: null,
});

const noBlobs = {} as unknown as BlobStore;

interface Result {
  readonly outcome: string;
  readonly code: string | null;
  readonly faults: readonly { readonly pointer: string; readonly expected: string; readonly hint: string | null }[];
}

/** Texts as input has them: what is stored may hold more. */
const readable = <A>(value: A): A =>
  JSON.parse(
    JSON.stringify(value, (_key, field: unknown) =>
      typeof field !== 'string' ? field : textFault(field, 'name') === undefined ? storedForm(field, 'name') : 'x',
    ),
  ) as A;

describe('changes of places from a feed', () => {
  const store = openMemoryEventStore();
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
    const random = { uuid: randomUUID, token: () => randomUUID() };
    service = await startHttpService(
      geoRoutes({ store, commandMetrics: noCommandMetrics, clock, random, blobs: noBlobs }),
    );
  });
  after(() => service.close());

  const send = (body: object | string, identity = feeder): Promise<Response> =>
    service.call('/v1/places:batch', {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const results = async (changes: readonly unknown[]): Promise<readonly Result[]> => {
    const answer = await send({ changes });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { readonly results: readonly Result[] }).results;
  };
  const outcomes = async (changes: readonly unknown[]): Promise<readonly string[]> =>
    (await results(changes)).map(({ outcome }) => outcome);
  const rows = async (): Promise<readonly PlaceRow[]> => {
    const events: StoredEvent[] = [];
    for await (const event of store.readAll({ after: null })) events.push(event);
    return (await rowsAfter(placesProjection, [events])) as readonly PlaceRow[];
  };

  it('count if they are newer, and answer for each', async () => {
    const [first, second] = [change('newer', 5), change('newer', 7, { name: 'Later' })];
    assert.deepEqual(await outcomes([first, second, first, change('newer', 6), second]), [
      'recorded',
      'recorded',
      'outdated',
      'outdated',
      'unchanged',
    ]);
    const row = (await rows()).find(({ entityId }) => entityId === 'newer');
    assert.deepEqual([row?.place?.name, row?.place?.sourceVersion, row?.revision], ['Later', 7, 1]);
  });

  it('remove a place that older changes cannot bring back', async () => {
    assert.deepEqual(await outcomes([removal('gone', 3), change('gone', 2), change('gone', 4), removal('gone', 5)]), [
      'recorded',
      'outdated',
      'recorded',
      'recorded',
    ]);
    const row = (await rows()).find(({ entityId }) => entityId === 'gone');
    assert.equal(row?.place, null);
  });

  it('of another source are refused, and the place is as it was', async () => {
    const of = (source: string, one: object) => ({ ...one, source });
    const answers = await results([
      change('own', 1, { name: 'Own' }),
      of('other', change('own', 2, { name: 'Taken' })),
      of('third', removal('own', 3)),
      change('own', 1, { name: 'Own' }),
    ]);
    assert.deepEqual(
      answers.map(({ outcome, code }) => [outcome, code]),
      [
        ['recorded', null],
        ['refused', 'owned-by-another-source'],
        ['refused', 'owned-by-another-source'],
        ['unchanged', null],
      ],
    );
    assert.deepEqual(
      answers[1]?.faults.map(({ pointer, hint }) => [pointer, hint]),
      [['/source', 'The place belongs to the source feed. Hand it over, or name another id.']],
    );
    const row = (await rows()).find(({ entityId }) => entityId === 'own');
    assert.deepEqual([row?.place?.name, row?.owner, row?.revision], ['Own', 'feed', 0]);
  });

  const handOver = async (body: object, scopes = ['sources:write']) => {
    const answer = await service.call('/v1/places:handover', {
      method: 'POST',
      identity: { ...feeder, scopes },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { results: ofPlaces } = (await answer.json()) as {
      results?: readonly { readonly entityId: string; readonly outcome: string; readonly code: string | null }[];
    };
    return [answer.status, ...(ofPlaces ?? []).map(({ entityId, outcome, code }) => [entityId, outcome, code])];
  };

  it('of another source count once the places are handed over, which their feed cannot do', async () => {
    await outcomes([change('moved', 5), removal('moved-gone', 5), { ...change('foreign', 5), source: 'other' }]);
    const body = {
      fromSource: 'feed',
      toSource: 'guide',
      entityIds: ['moved', 'moved-gone', 'foreign', 'never', 'moved'],
    };
    assert.deepEqual(await handOver(body, ['places:write']), [403]);
    assert.deepEqual(await handOver(body), [
      200,
      ['moved', 'handed-over', null],
      ['moved-gone', 'handed-over', null],
      ['foreign', 'refused', 'owned-by-another-source'],
      ['never', 'refused', 'place-unknown'],
    ]);
    assert.deepEqual((await handOver(body)).slice(0, 3), [
      200,
      ['moved', 'unchanged', null],
      ['moved-gone', 'unchanged', null],
    ]);
    const handed = (await rows()).find(({ entityId }) => entityId === 'moved');
    assert.deepEqual([handed?.owner, handed?.place?.source, handed?.revision], ['guide', 'feed', 1]);
    const guide = { source: 'guide' };
    assert.deepEqual(
      await outcomes([
        change('moved', 6),
        { ...change('moved', 1), ...guide },
        { ...change('moved-gone', 1), ...guide },
      ]),
      ['refused', 'recorded', 'recorded'],
    );
  });

  it('are refused one by one, with a pointer for each fault', async () => {
    const [fine, coordinates, missing, unknown, text, zone] = await results([
      change('fine', 1),
      change('coordinates', 1, { lat: 148.8 }),
      { entity_id: 'missing', version: 1, op: 'create', source: 'feed' },
      change('unknown', 1, { colour: 'red' }),
      'no change',
      change('zone', 1, { hours: { tz: 'Europe/Atlantis' } }),
    ]);
    const pointers = (result: Result | undefined) => result?.faults.map(({ pointer }) => pointer);
    assert.equal(fine?.outcome, 'recorded');
    assert.deepEqual(pointers(coordinates), ['/data/lat']);
    assert.equal(coordinates?.faults[0]?.expected, 'a number from -90 to 90');
    assert.equal(coordinates.faults[0].hint, 'lat and lng may be swapped.');
    assert.deepEqual(pointers(missing), ['/data']);
    assert.deepEqual(pointers(unknown), ['/data/colour']);
    assert.deepEqual(pointers(text), ['']);
    assert.deepEqual(pointers(zone), ['/data/hours/tz']);
  });

  it('are refused in words, whatever field is wrong, and where it is missing', () => {
    const wrong = [
      ...['name', 'category', 'alternative_names', 'address', 'hours', 'attributes', 'attribution', 'synthetic'].map(
        (field) => ({ [field]: 0.5 }),
      ),
      { alternative_names: [0.5] },
      { alternative_names: [{ name: '', language: '!' }] },
      { address: { street: 0.5, locality: '', region: 1, postal_code: 1, country: 'fr' } },
      { hours: { tz: 0.5, weekly: 1, exceptions: 1 } },
      { hours: { tz: 'UTC', weekly: [1, { day: 9, open: 'x', close: 'y' }] } },
      {
        hours: { tz: 'UTC', exceptions: [1, { date: 'x', intervals: 1 }, { date: '2026-12-24', intervals: [1, {}] }] },
      },
      { attributes: { 'B!': 1 } },
      { attributes: { a: [] } },
    ];
    const values = [1, {}, { ...change('!', 1), source: '!', occurred_at: 1 }, { ...change('a', 1), data: 1 }];
    const faults = [...values, ...wrong.map((fields) => change('a', 1, fields))].flatMap((value) => {
      const decoded = decodeChange(value);
      assert.ok(isLeft(decoded), JSON.stringify(value));
      return decoded.left;
    });
    // Names of codecs are one word that begins with a capital letter.
    for (const { pointer, expected } of faults) assert.doesNotMatch(expected, /^[A-Z]\w*$|^boolean$/, pointer);
    const missing = decodeChange({ ...change('a', 1), data: { name: 'A', lat: 1, lng: 1 } });
    assert.ok(isLeft(missing));
    assert.deepEqual(
      missing.left.map(({ pointer, hint }) => [pointer, hint]),
      [['/data/category', 'It is missing.']],
    );
  });

  it('are refused under a version that has other content', async () => {
    const [, other] = await results([change('reused', 1), change('reused', 1, { name: 'Other' })]);
    assert.deepEqual([other?.outcome, other?.faults[0]?.pointer], ['refused', '/version']);
  });

  it('are bounded in number and depth', async () => {
    const many = Array.from({ length: 501 }, (_, index) => change(`many-${index}`, 1));
    assert.equal((await send({ changes: many })).status, 400);
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const answer = await send(
      `{"changes":[{"entity_id":"deep","version":1,"op":"create","source":"feed","data":${deep}}]}`,
    );
    const { results } = (await answer.json()) as { readonly results: readonly Result[] };
    assert.deepEqual([answer.status, results[0]?.outcome], [200, 'refused']);
  });

  it('need the scope', async () =>
    assert.equal((await send({ changes: [] }, { ...feeder, scopes: ['places:read'] })).status, 403));

  it('decode whatever arrives, and show nothing of it in faults', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.json().map((json) => JSON.parse(json) as unknown),
        ),
        (value) => {
          const decoded = decodeChange(value);
          if (isLeft(decoded)) assert.ok(decoded.left.length > 0 && decoded.left.length <= 8);
        },
      ),
    ));

  it('bring every place that the specification can show, and it is shown as it came', () =>
    fc.assert(
      fc.property(valuesOf(Place).map(readable), (place) => {
        const entity = toEntity(place);
        assert.ok(Entity.is(entity));
        const { entity_id, version, source, occurred_at, ...sent } = entity;
        const envelope = { entity_id, version, source, occurred_at, op: 'create', data: sent };
        assert.ok(isRight(PlaceChange.decode(envelope)));
        const decoded = decodeChange(envelope);
        // Zones of the property test are made up.
        if (isLeft(decoded))
          assert.deepEqual(
            decoded.left.map(({ pointer }) => pointer),
            ['/data/hours/tz'],
          );
        else assert.deepEqual(decoded.right, { type: 'RecordPlace', place });
      }),
      { numRuns: 40 },
    ));
});
