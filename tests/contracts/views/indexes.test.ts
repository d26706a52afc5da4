/** Indexes are not part of the registry's transaction: what was made and never recorded is found again. */
import assert from 'node:assert/strict';
import { Client } from '@elastic/elasticsearch';
import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { elasticsearchForTests, freshDatabase, indexPrefix } from '../../support/servers/shared-servers';
import { batch, ok, put, thing, thingsView } from './suite/view-store';

describe('indexes of a view', function () {
  this.timeout(120_000);

  it('are swept if they are not recorded, without indexes of other views', async () => {
    const [postgresUrl, { url }] = await Promise.all([freshDatabase(), elasticsearchForTests()]);
    ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
    const writer = openElasticWriter({ url, postgresUrl });
    const client = new Client({ node: url });
    const view = thingsView('elastic');
    const { number } = ok(await writer.open(view));
    ok(await writer.apply(view, batch(number, [null, 10n], [put(thing('a'))])));
    const building = ok(await writer.beginRebuild(view));
    const foreign = `${view.name}_v2_others_v3`;
    for (const index of [`${view.name}_v999999`, foreign]) await client.indices.create({ index });
    assert.deepEqual(ok(await writer.sweep(view, 0)), [999_999]);
    const left = Object.keys(await client.indices.get({ index: `${view.name}_v*` })).sort();
    assert.deepEqual(left, [`${view.name}_v${number}`, `${view.name}_v${building.number}`, foreign].sort());
    await client.indices.delete({ index: left });
    await Promise.all([writer.close(), client.close()]);
  });

  it('are left alone by another installation, whose indexes begin with a prefix', async () => {
    const { url } = await elasticsearchForTests();
    const view = thingsView('elastic');
    const installations = await Promise.all(
      [undefined, indexPrefix()].map(async (prefix) => {
        const postgresUrl = await freshDatabase();
        const reading = ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
        const writer = openElasticWriter({ url, postgresUrl, prefix });
        return { writer, reader: openElasticReader({ url, postgresUrl: reading, prefix }) };
      }),
    );
    for (const [index, { writer }] of installations.entries()) {
      const { number } = ok(await writer.open(view));
      ok(await writer.apply(view, batch(number, [null, 10n], [put(thing(`only-${index}`))])));
    }
    for (const [index, { writer, reader }] of installations.entries()) {
      assert.deepEqual(ok(await writer.sweep(view, 0)), []);
      const rows = ok(await reader.page(view, 'acme', { where: {}, order: [], limit: 10 }));
      assert.deepEqual(
        rows.map((row) => (row as { readonly id?: string }).id),
        [`only-${index}`],
      );
    }
    await Promise.all(installations.flatMap(({ writer, reader }) => [writer.close(), reader.close()]));
  });
});
