/** Indexes are not part of the registry's transaction: what was made and never recorded is found again. */
import assert from 'node:assert/strict';
import { Client } from '@elastic/elasticsearch';
import { openElasticWriter } from '../../infra/elastic/view-writer';
import { migrate } from '../../infra/postgres/migrate';
import { elasticsearchForTests, freshDatabase } from '../support/servers';
import { batch, ok, put, thing, thingsView } from './view-store';

describe('indexes of a view', function () {
  this.timeout(120_000);

  it('are swept when nobody recorded them, and no index of another view with them', async () => {
    const [postgresUrl, { url }] = await Promise.all([freshDatabase(), elasticsearchForTests()]);
    ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
    const writer = openElasticWriter({ url, postgresUrl });
    const client = new Client({ node: url });
    const view = thingsView('elastic');
    const { number } = ok(await writer.open(view));
    ok(await writer.apply(view, batch(number, [null, 10n], [put(thing('a'))])));
    const building = ok(await writer.begin(view));
    const foreign = `${view.name}_v2_others_v3`;
    for (const index of [`${view.name}_v999999`, foreign]) await client.indices.create({ index });
    assert.deepEqual(ok(await writer.sweep(view, 0)), [999_999]);
    const left = Object.keys(await client.indices.get({ index: `${view.name}_v*` })).sort();
    assert.deepEqual(left, [`${view.name}_v${number}`, `${view.name}_v${building.number}`, foreign].sort());
    await client.indices.delete({ index: left });
    await Promise.all([writer.close(), client.close()]);
  });
});
