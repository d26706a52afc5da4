/** GET /v1/search on real stores: what it finds, in which order, and what it shows. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import type { TenantId } from '../../../../domain/kernel/ids';
import {
  openSearchStage,
  type Parameters,
  pathOf,
  type SearchStage,
  samplePlace,
  tenant,
} from '../../../support/geo/search-stage';

const berlin = { lat: 52.52, lng: 13.405 };
const east = (meters: number) => ({
  lat: berlin.lat,
  lng: berlin.lng + meters / (111_195 * Math.cos((52.52 * Math.PI) / 180)),
});

describe('the search for places', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  before(async () => {
    stage = await openSearchStage();
    const rating = { average: 4.5, count: 100 };
    const address = { street: 'Lindenweg 3', locality: 'Berlin', region: null, postalCode: null, country: 'DE' };
    await stage.record([samplePlace('theirs', { ...east(100), name: 'Café Morgenrot' })], 'other' as TenantId);
    const position = await stage.record([
      samplePlace('exact', {
        ...east(900),
        name: 'Café Morgenrot',
        rating,
        address,
        synthetic: false,
        attribution: 'Survey, CC BY 4.0',
      }),
      samplePlace('prefix', { ...east(900), name: 'Café Morgenrot am Park', popularity: 10 }),
      samplePlace('tokens', { ...east(100), name: 'Morgenrot und Café', category: 'bar' }),
      samplePlace('fuzzy', { ...east(100), name: 'Cafe Morgemrot' }),
      samplePlace('closed', { ...east(50), name: 'Café Morgenrot', status: 'permanently_closed' }),
      samplePlace('near', { ...east(10), name: 'Kiosk', category: 'shop' }),
      samplePlace('far', { ...east(6_000), name: 'Café Fern' }),
    ]);
    await stage.untilVisible(position);
  });
  after(() => stage.close());

  it('finds what is in the circle, and shows it', async () => {
    const answer = await stage.find({ ...berlin, query: 'café morgenrot', limit: 1 });
    assert.deepEqual(answer.results, [
      {
        entity_id: 'exact',
        name: 'Café Morgenrot',
        category: 'cafe',
        ...east(900),
        distance_m: 900,
        rating: 4.5,
        snippet: 'Lindenweg 3, Berlin, DE',
        status: 'active',
        synthetic: false,
        attribution: 'Survey, CC BY 4.0',
      },
    ]);
    assert.deepEqual(answer.searched, { ...berlin, radius_m: 5_000 });
    assert.equal(answer.incomplete, false);
  });

  it('says which places are made up', async () => {
    const { results } = await stage.find({ ...berlin, category: 'shop' });
    assert.deepEqual(
      results.map(({ synthetic, attribution }) => [synthetic, attribution]),
      [[true, null]],
    );
  });

  describe('says in plain words where an empty search may have been meant', () => {
    const noMatch = 'There are places in this area, but none matches the words and filters.';
    const otherLongitude = 'Nothing is here, but there are places at the longitude with the other sign.';
    const otherLatitude = 'Nothing is here, but there are places at the latitude with the other sign.';
    const swapped = 'Nothing is here, but there are places if lat and lng are swapped.';
    const warningsOf = async (parameters: Parameters, of = tenant as string) =>
      (await stage.find({ ...berlin, ...parameters }, of)).warnings;
    const none = { category: 'castle' };

    it('where nothing matches, or a sign or the order is another', async () => {
      assert.deepEqual(await warningsOf({}), []);
      const filtered: readonly Parameters[] = [{ query: 'zzz' }, { category: 'castle' }, { open_now: 'true' }];
      for (const filters of filtered) assert.deepEqual(await warningsOf(filters), [noMatch]);
      assert.deepEqual(await warningsOf({ lng: -berlin.lng }), [otherLongitude]);
      assert.deepEqual(await warningsOf({ lat: -berlin.lat }), [otherLatitude]);
      assert.deepEqual(await warningsOf({ lat: berlin.lng, lng: berlin.lat }), [swapped]);
      // With words as without: it is the area that is empty.
      assert.deepEqual(await warningsOf({ lng: -berlin.lng, query: 'zzz' }), [otherLongitude]);
    });

    it('but not where no place is, nor for boxes, nor of the places of others', async () => {
      assert.deepEqual(await warningsOf({ lat: -40, lng: -100 }), []);
      assert.deepEqual(await warningsOf({ bbox: '52.4,-14,52.6,-13' }), []);
      assert.deepEqual(await warningsOf({ bbox: '52.4,13,52.6,14', ...none }), []);
      assert.deepEqual(await warningsOf({ ...east(100) }, 'nobody'), []);
    });

    it('and of several, the likeliest alone', async () => {
      const position = await stage.record([
        samplePlace('here', { lat: 20, lng: 30 }),
        samplePlace('mirrored', { lat: 20, lng: -30 }),
        samplePlace('below', { lat: -20, lng: 30 }),
        samplePlace('turned', { lat: 30, lng: 20 }),
      ]);
      await stage.untilVisible(position);
      assert.deepEqual(await warningsOf({ lat: 20, lng: 30, ...none }), [noMatch]);
      // Both signs are others here: the places at either are as near.
      assert.deepEqual(await warningsOf({ lat: -20, lng: -30, ...none }), [otherLongitude]);
      assert.deepEqual(await warningsOf({ lat: -30, lng: 20 }), [otherLatitude]);
      for (const id of ['here', 'mirrored', 'below', 'turned']) await stage.untilVisible(await stage.remove(id));
      assert.deepEqual(await warningsOf({ lat: -20, lng: -30, ...none }), []);
    });

    it('at the poles and on the antimeridian, where signs can make no difference', async () => {
      const position = await stage.record([
        samplePlace('pole', { lat: 90, lng: 50 }),
        samplePlace('dateline', { lat: 10, lng: 180 }),
      ]);
      await stage.untilVisible(position);
      assert.deepEqual(await warningsOf({ lat: 90, lng: -120, ...none }), [noMatch]);
      assert.deepEqual(await warningsOf({ lat: -90, lng: -120 }), [otherLatitude]);
      assert.deepEqual(await warningsOf({ lat: 0, lng: 90 }), [swapped]);
      assert.deepEqual(await warningsOf({ lat: 10, lng: -180, ...none }), [noMatch]);
      assert.deepEqual(await warningsOf({ lat: 10, lng: 540, ...none }), [noMatch]);
      assert.deepEqual(await warningsOf({ lat: -10, lng: -180 }), [otherLatitude]);
      await stage.untilVisible(await stage.remove('pole'));
      await stage.untilVisible(await stage.remove('dateline'));
    });
  });

  it('ranks by the class of the match, and closed places last', async () => {
    assert.deepEqual(await stage.idsOf({ ...berlin, query: 'CAFE MORGENROT' }), [
      'exact',
      'prefix',
      'tokens',
      'fuzzy',
      'closed',
    ]);
  });

  it('intersects text, category and area', async () => {
    assert.deepEqual(await stage.idsOf({ ...berlin, query: 'morgenrot', category: 'bar' }), ['tokens']);
    assert.deepEqual(await stage.idsOf({ ...berlin, category: 'shop' }), ['near']);
    assert.deepEqual(await stage.idsOf({ ...berlin, category: 'shop', radius_m: 9 }), []);
    assert.deepEqual(await stage.idsOf({ ...berlin, category: 'shop', radius_m: 10 }), ['near']);
  });

  it('takes a query of punctuation or emoji as none', async () => {
    const all = await stage.idsOf({ ...berlin });
    assert.equal(all.length, 6);
    for (const query of ['', '?!', '👍🏽']) assert.deepEqual(await stage.idsOf({ ...berlin, query }), all);
  });

  it('lists the nearest first', async () => {
    const ids = await stage.idsOf({ ...berlin, sort: 'distance', radius_m: 6_001 });
    assert.deepEqual(ids, ['near', 'closed', 'fuzzy', 'tokens', 'exact', 'prefix', 'far']);
  });

  it('shows nothing of another tenant', async () => {
    assert.deepEqual(await stage.idsOf(berlin, 'other'), ['theirs']);
    assert.deepEqual(await stage.idsOf(berlin, 'nobody'), []);
    assert.ok(!(await stage.idsOf(berlin, tenant)).includes('theirs'));
  });

  it('explains each term', async () => {
    const { results } = await stage.find({ ...berlin, query: 'cafe morgenrot', explain: 1 });
    const [first] = results;
    assert.equal(first?.explanation?.text_class, 'exact');
    assert.equal(results.at(-1)?.explanation?.factor, 0.3);
    for (const { explanation = {} } of results) {
      const { score, factor, distance, text, popularity, rating } = explanation as Record<string, number>;
      assert.ok(Math.abs(score! - factor! * (distance! + text! + popularity! + rating!)) < 1e-9);
    }
  });

  it('follows changes', async () => {
    await stage.untilVisible(await stage.record([samplePlace('new', { ...east(20), category: 'fresh' })]));
    assert.deepEqual(await stage.idsOf({ ...berlin, category: 'fresh' }), ['new']);
    await stage.untilVisible(await stage.remove('new'));
    assert.deepEqual(await stage.idsOf({ ...berlin, category: 'fresh' }), []);
  });

  it('is refused while the index is gone, and finds all places once it is built again', async () => {
    const before = await stage.idsOf(berlin);
    const client = new Client({ node: stage.elasticsearchUrl });
    const indexes = Object.keys(await client.indices.get({ index: `${stage.prefix}geo_place_index_v*` }));
    await client.indices.delete({ index: indexes });
    await client.close();
    const statuses = new Set<number>();
    for (const began = Date.now(); ; ) {
      assert.ok(Date.now() - began < 60_000, 'the index is not built again');
      const answer = await stage.call(pathOf(berlin));
      const body = (await answer.json()) as { readonly results?: readonly object[] };
      statuses.add(answer.status);
      if (answer.status === 200) {
        assert.equal(body.results?.length, before.length);
        break;
      }
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      await sleep(50);
    }
    assert.ok(statuses.has(503));
  });
});
