/** Searches while their stores are gone: the index is built again by itself, and no answer is empty meanwhile; without cards, places are shown. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import { openSearchStage, pathOf, type SearchStage, samplePlace } from '../../../support/geo/search-stage';

const there = { lat: 5, lng: 6 };

describe('searches without their stores', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  before(async () => {
    stage = await openSearchStage();
    await stage.untilVisible(await stage.record([samplePlace('a', there), samplePlace('b', there)]));
  });
  after(() => stage.close());

  it('are refused while the index is gone, and find all places once it is built again', async () => {
    const client = new Client({ node: stage.elasticsearchUrl });
    const indexes = Object.keys(await client.indices.get({ index: `${stage.prefix}geo_place_index_v*` }));
    await client.indices.delete({ index: indexes });
    await client.close();
    const statuses = new Set<number>();
    for (const began = Date.now(); ; ) {
      assert.ok(Date.now() - began < 60_000, 'the index is not built again');
      const answer = await stage.call(pathOf(there));
      const body = (await answer.json()) as { readonly results?: readonly object[] };
      statuses.add(answer.status);
      if (answer.status === 200) {
        assert.equal(body.results?.length, 2);
        break;
      }
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      await sleep(50);
    }
    assert.ok(statuses.has(503));
  });
});
