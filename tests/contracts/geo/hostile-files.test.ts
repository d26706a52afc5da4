/** Files that mean harm or were made by accident: whatever is in them, the rest is imported, and what is accepted reaches every view. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { endedImport, startImport, visibleEntity } from '../../support/geo/file-imports';
import { openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner, requireElasticsearch } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Entity {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
interface SearchPage {
  readonly results: readonly { readonly entity_id: string; readonly name: string }[];
}

const oddNames = {
  marks: `x${'\u0301'.repeat(150)}`,
  astral: '🍜'.repeat(100),
  joined: '👩‍👩‍👧‍👦 diner',
  rightToLeft: 'moor مقهى',
  markup: '<img src=x onerror=alert(1)>"\'{{7*7}}',
  sql: "'); drop table geo_places; --",
  hangul: '한'.repeat(200),
};
/** Characters that readers cannot see, and lines. */
const refusedNames = {
  controls: 'a\u0001\u001f\u007f\u0085b',
  noncharacter: 'a\uffff\ufffeb',
  override: '\u202emoor\u202c مقهى',
  lines: 'tea\u2028\u2029',
  nul: 'a\u0000b',
  blanks: '\u00a0\u2003\u3000',
};
const ids = Object.keys(oddNames) as (keyof typeof oddNames)[];

describe('hostile files of places', function () {
  this.timeout(120_000);
  let system: System;
  let tenant: Tenant;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  const imported = async (file: string | Buffer, format: string) =>
    endedImport(tenant, await startImport(tenant, file, { format, category: 'cafe' }));

  it('have names that every view keeps as they are', async () => {
    const lines = ids.map((id) =>
      JSON.stringify({
        entity_id: id,
        data: {
          name: oddNames[id],
          lat: 10,
          lng: 10,
          address: { street: oddNames[id] },
          attributes: { note: oddNames[id] },
        },
      }),
    );
    const { status, recorded, refused } = await imported(lines.join('\n'), 'jsonl');
    assert.deepEqual({ status, recorded, refused }, { status: 'completed', recorded: ids.length, refused: 0 });
    for (const id of ids) {
      const { name, attributes } = await visibleEntity<Entity>(tenant, id);
      assert.deepEqual([name, attributes.note], [oddNames[id], oddNames[id]]);
    }
    await requireElasticsearch();
    await eventually(async () => {
      const answer = await tenant.read('/v1/search?lat=10&lng=10&limit=50');
      assert.equal(answer.status, 200);
      const { results } = (await answer.json()) as SearchPage;
      const names = Object.fromEntries(results.map(({ entity_id: id, name }) => [id, name]));
      assert.deepEqual(names, oddNames);
    });
  });

  it('have names that hide something refused, line by line, and blanks around others taken away', async () => {
    const lines = Object.entries({ ...refusedNames, trimmed: '\u00a0\u2003green\u3000 tea ' }).map(([id, name]) =>
      JSON.stringify({ entity_id: id, data: { name, lat: 20, lng: 10 } }),
    );
    const { recorded, refused } = await imported(lines.join('\n'), 'jsonl');
    assert.deepEqual([recorded, refused], [1, Object.keys(refusedNames).length]);
    assert.equal((await visibleEntity<Entity>(tenant, 'trimmed')).name, 'green tea');
  });

  it('fail where they are no text', async () => {
    const text = 'entity_id,name,lat,lng\n1,One,1,1\n';
    const zipped = gzipSync(text);
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const file of [zipped, utf16]) {
      const { status, recorded, reason } = await imported(file, 'csv');
      assert.deepEqual([status, recorded], ['failed', 0], reason ?? '');
      const lines = await imported(file, 'jsonl');
      assert.deepEqual([lines.status, lines.recorded], ['failed', 0]);
      const collection = await imported(file, 'geojson');
      assert.deepEqual([collection.status, collection.recorded], ['failed', 0]);
    }
  });
});
