/** Cards of found places: read from Redis once per revision, and what is shown without it. */
import assert from 'node:assert/strict';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { ViewFault, ViewReader } from '../../infra/ports/views/view-store';
import type { PlaceCardRow } from '../../projections/geo/place-cards/view';
import { openPlaceCards } from '../../read-api/geo/search/place-cards';
import type { FoundPlace } from '../../read-api/geo/search/place-query';

const place = (entityId: string, fields: Partial<FoundPlace> = {}): FoundPlace =>
  ({
    tenantId: 'acme',
    entityId,
    name: `Place ${entityId}`,
    category: 'cafe',
    location: { lat: 1, lon: 2 },
    twinKey: '',
    source: 'survey',
    status: 'active',
    synthetic: false,
    popularityShare: 0,
    ratingShare: 0,
    rating: 4,
    revision: 0,
    ...fields,
  }) as FoundPlace;

const card = (entityId: string, fields: Partial<PlaceCardRow> = {}): PlaceCardRow =>
  ({
    tenantId: 'acme',
    entityId,
    name: `Place ${entityId}`,
    category: 'cafe',
    status: 'active',
    rating: 4,
    snippet: `Ring ${entityId}`,
    synthetic: false,
    attribution: 'Survey',
    revision: 0,
    ...fields,
  }) as PlaceCardRow;

const open = () => {
  const rows = new Map<string, PlaceCardRow>();
  const state = { isAway: false, reads: [] as string[] };
  const findMany = async (_view: unknown, tenantId: string, keys: readonly { readonly entityId: string }[]) => {
    state.reads.push(keys.map(({ entityId }) => entityId).join());
    const away: Either<ViewFault, never> = left(fault('view-store-unavailable', 'Redis does not answer.'));
    return state.isAway ? away : right(keys.map(({ entityId }) => rows.get(`${tenantId} ${entityId}`)));
  };
  const cards = openPlaceCards({ findMany } as unknown as Pick<ViewReader, 'findMany'>);
  const put = (row: PlaceCardRow) => rows.set(`${row.tenantId} ${row.entityId}`, row);
  const read = async (places: readonly FoundPlace[], tenantId = 'acme') => {
    const found = await cards(tenantId, places);
    return [found.isWhole, ...found.cards.map(({ name, snippet, attribution }) => [name, snippet, attribution])];
  };
  return { state, put, read };
};

describe('cards of found places', () => {
  it('are read once per revision, those that are not known in one read', async () => {
    const { state, put, read } = open();
    for (const id of ['a', 'b', 'c']) put(card(id));
    await read([place('a')]);
    const whole = [true, ['Place b', 'Ring b', 'Survey'], ['Place a', 'Ring a', 'Survey']];
    assert.deepEqual(await read([place('b'), place('a')]), whole);
    assert.deepEqual(await read([place('b'), place('a')]), whole);
    assert.deepEqual(state.reads, ['a', 'b']);
    put(card('a', { revision: 1, name: 'Other', snippet: null }));
    assert.deepEqual(await read([place('a', { revision: 1, name: 'Other' })]), [true, ['Other', null, 'Survey']]);
    assert.deepEqual(state.reads, ['a', 'b', 'a']);
  });

  it('show all that a card has, also where it is newer than the index', async () => {
    const { put, read } = open();
    put(card('a', { revision: 2, name: 'Newest', snippet: 'Park 1' }));
    for (let search = 0; search < 2; search += 1)
      assert.deepEqual(await read([place('a', { revision: 1 })]), [true, ['Newest', 'Park 1', 'Survey']]);
  });

  it('show what the index knows of places without a card, and query it again', async () => {
    const { state, read } = open();
    assert.deepEqual(await read([place('a')]), [true, ['Place a', null, null]]);
    await read([place('a')]);
    assert.deepEqual(state.reads, ['a', 'a']);
  });

  it('show the last that is known while Redis is away', async () => {
    const { state, put, read } = open();
    put(card('a'));
    await read([place('a')]);
    state.isAway = true;
    assert.deepEqual(await read([place('a')]), [true, ['Place a', 'Ring a', 'Survey']]);
    const changed = place('a', { revision: 1, name: 'Other' });
    assert.deepEqual(await read([changed, place('b')]), [
      false,
      ['Other', 'Ring a', 'Survey'],
      ['Place b', null, null],
    ]);
  });

  it('are those of the tenant', async () => {
    const { put, read } = open();
    put(card('a'));
    await read([place('a')]);
    assert.deepEqual(await read([place('a')], 'other'), [true, ['Place a', null, null]]);
  });
});
