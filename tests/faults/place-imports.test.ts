/**
 * kill -9 of every process and of every store of a whole system in the middle of a file of 20,000 lines: log, tables and index end as they do
 * where nothing is disturbed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as IndexClient } from '@elastic/elasticsearch';
import { Client as TableClient } from 'pg';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { freePort } from '../../infra/operate/launch/free-port';
import { type EndedImport, importFile, writeLines } from '../../tools/load-places/import-file';
import { realPlaces } from '../../tools/load-places/real-places';
import { syntheticPlaces } from '../../tools/load-places/synthetic-places';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openTenant, type Tenant } from '../support/identity/tenant';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { openSystem, type System } from '../support/processes/running-system';
import { pauseAfter } from '../support/waiting/eventually';

const count = 20_000;

const elasticsearch = /LocalElasticsearch/;
/** In the order in which they are killed. Elasticsearch takes the longest to be back. */
const victims: readonly RegExp[] = [
  /commands\/workers\.main/,
  elasticsearch,
  /eventstore-node\/src\/cli\/main/,
  /projections\/projector\.main/,
  /adapters\/blobs\/main/,
  /\/postgres -D/,
  elasticsearch,
  /commands\/workers\.main/,
  /valkey-server|redis-server/,
  /commands\/processes\.main/,
  /read-api\/query-api\.main/,
  /commands\/command-api\.main/,
  /gateway\/main/,
];

interface Stores {
  readonly EVENTSTORE_URL: string;
  readonly POSTGRES_URL: string;
  readonly ELASTICSEARCH_URL: string;
}

/** What it holds, by entity: two contents are equal, or the message would be 20,000 lines long. */
type Content = ReadonlyMap<string, string>;

const contentOf = <Row>(rows: readonly Row[], idOf: (row: Row) => string, fieldsOf: (row: Row) => unknown): Content => {
  const content = new Map(rows.map((row) => [idOf(row), JSON.stringify(fieldsOf(row))]));
  assert.equal(content.size, rows.length, 'nothing is there twice');
  return content;
};

const differences = (one: Content, other: Content): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((id) => one.get(id) !== other.get(id));

const eventsOf = async ({ EVENTSTORE_URL: url }: Stores, tenant: string): Promise<Content> => {
  const prefix = `geo.place-${tenant}.`;
  const store = openEventStore({ url });
  const events: { readonly id: string; readonly event: unknown }[] = [];
  for await (const { stream, revision, type, data } of store.readAll({ after: null, filter: { streams: [prefix] } }))
    events.push({ id: `${stream.slice(prefix.length)}@${revision}`, event: [type, data] });
  await store.close();
  return contentOf(
    events,
    ({ id }) => id,
    ({ event }) => event,
  );
};

const rowsOf = async ({ POSTGRES_URL: connectionString }: Stores, tenant: string): Promise<Content> => {
  const client = new TableClient({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ entityId: string; place: unknown; revision: string }>(
      'select "entityId", place, revision from geo_places where "tenantId" = $1',
      [tenant],
    );
    return contentOf(
      rows,
      ({ entityId }) => entityId,
      ({ place, revision }) => [place, revision],
    );
  } finally {
    await client.end();
  }
};

interface IndexedPlace {
  readonly entityId: string;
  readonly tenantId: string;
}

const pageDocuments = 5_000;

const documentsOf = async ({ ELASTICSEARCH_URL: node }: Stores, tenant: string): Promise<Content> => {
  const client = new IndexClient({ node });
  const documents: IndexedPlace[] = [];
  for (;;) {
    const last = documents.at(-1)?.entityId;
    const { hits } = await client.search<IndexedPlace>({
      index: 'geo_place_index',
      size: pageDocuments,
      query: { term: { tenantId: tenant } },
      sort: [{ entityId: 'asc' }],
      ...(last === undefined ? {} : { search_after: [last] }),
    });
    documents.push(...hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [_source])));
    if (hits.hits.length < pageDocuments) break;
  }
  await client.close();
  return contentOf(
    documents,
    ({ entityId }) => entityId,
    ({ tenantId: _, ...fields }) => fields,
  );
};

const indexedCount = async (client: IndexClient, tenant: string): Promise<number> => {
  const query = { term: { tenantId: tenant } };
  return (await client.count({ index: 'geo_place_index', query }, { maxRetries: 0 })).count;
};

const longestStandstill = 60_000;

/** Fails when there are no more for a minute. */
const untilIndexed = async ({ ELASTICSEARCH_URL: node }: Stores, tenant: string): Promise<void> => {
  const client = new IndexClient({ node });
  let [indexed, since] = [0, Date.now()];
  while (indexed < count) {
    await pauseAfter(1_000);
    const now = await indexedCount(client, tenant).catch(() => indexed);
    if (now !== indexed) [indexed, since] = [now, Date.now()];
    assert.ok(Date.now() - since < longestStandstill, `${indexed} places are indexed`);
  }
  await client.close();
};

describe('an import of 20,000 lines', function () {
  this.timeout(900_000);
  const home = temporaryDirectory('place-imports');
  const data = join(home.path, 'data');
  const file = join(home.path, 'places.jsonl');
  let septet: Launched;
  let stores: Stores;
  let system: System;
  let [undisturbed, disturbed]: readonly Tenant[] = [];
  before(async () => {
    linkTools(data);
    const port = String(await freePort());
    septet = await launch({ directory: process.cwd(), arguments: ['--data', data, '--port', port, '--processes'] });
    stores = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as Stores;
    system = openSystem({ url: septet.url, data, postgresUrl: stores.POSTGRES_URL, indexPrefix: '' });
    [undisturbed, disturbed] = [await openTenant(system), await openTenant(system)];
    await writeLines(file, syntheticPlaces(realPlaces(), { count, seed: 7 }));
  });
  after(async () => {
    await system.close();
    await septet.stop();
    home.remove();
  });

  const importAs = async ({ freshToken }: Tenant, onProgress: (progress: EndedImport) => void) => {
    const options = { source: 'synthetic', version: 1, synthetic: true, onProgress };
    const to = { url: system.url, token: freshToken };
    const { status, recorded, unchanged, refused } = await importFile(to, file, options);
    return { status, recorded, unchanged, refused };
  };
  const kill = (victim: RegExp): void => {
    const found = septet.processes().find(({ command }) => victim.test(command) && !command.includes('watchdog'));
    assert.ok(found !== undefined, `${victim} runs`);
    process.kill(found.pid, 'SIGKILL');
  };
  const completed = { status: 'completed', recorded: count, unchanged: 0, refused: 0 };

  it('records each once while nothing is disturbed', async () => {
    assert.deepEqual(await importAs(undisturbed as Tenant, () => undefined), completed);
    await untilIndexed(stores, (undisturbed as Tenant).tenantId);
  });

  it('counts the same while every process and store is killed', async () => {
    const waiting = [...victims];
    const step = 900 / victims.length;
    const killNext = ({ permille }: EndedImport): void => {
      const [victim] = waiting;
      if (victim === undefined || permille < (victims.length - waiting.length + 0.5) * step) return;
      kill(victim);
      waiting.shift();
    };
    assert.deepEqual(await importAs(disturbed as Tenant, killNext), completed);
    assert.deepEqual(waiting, []);
    await untilIndexed(stores, (disturbed as Tenant).tenantId);
  });

  for (const [name, read] of [
    ['the log', eventsOf],
    ['the tables', rowsOf],
    ['the index', documentsOf],
  ] as const)
    it(`leaves the same in ${name}`, async () => {
      const expected = await read(stores, (undisturbed as Tenant).tenantId);
      assert.equal(expected.size, count);
      assert.deepEqual(differences(expected, await read(stores, (disturbed as Tenant).tenantId)).slice(0, 5), []);
    });
});
