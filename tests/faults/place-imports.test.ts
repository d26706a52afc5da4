/**
 * kill -9 of the processes of a whole system in the middle of a file of 50,000 lines: the import completes, every place is recorded once and
 * shown, and the counts are those of an undisturbed import.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStore } from '../../infra/eventstore/event-store';
import { type EndedImport, importFile, writeLines } from '../../tools/load-places/import-file';
import { realPlaces } from '../../tools/load-places/real-places';
import { syntheticPlaces } from '../../tools/load-places/synthetic-places';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { elasticsearchForTests, fromRunner, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

const count = 50_000;
const victims = ['workers', 'commands', 'projections', 'workers', 'processes', 'read-api', 'workers'] as const;

describe('an import while processes are killed', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('place-imports');
  let running: RunningSystem;
  let system: System;
  let tenant: Tenant;
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      fromRunner('postgres'),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    running = await startSystem(home.path, { postgres, valkey: valkey.url, elasticsearch: elasticsearch.url });
    system = openSystem(running.address);
    tenant = await openTenant(system);
  });
  after(async () => {
    await system.close();
    await running.stop();
    home.remove();
  });

  const token = async (): Promise<string> => tenant.adminToken;

  const placesInLog = async (): Promise<readonly string[]> => {
    const { EVENTSTORE_WRITER_URL: url } = JSON.parse(readFileSync(join(running.address.data, 'run.json'), 'utf8')) as {
      readonly EVENTSTORE_WRITER_URL: string;
    };
    const store = openEventStore({ url });
    const found: string[] = [];
    for await (const { stream } of store.readAll({ after: null }))
      if (stream.startsWith(`geo.place-${tenant.tenantId}.`)) found.push(stream);
    await store.close();
    return found;
  };

  it('records each of 50,000 lines once', async () => {
    const path = join(home.path, 'places.jsonl');
    await writeLines(path, syntheticPlaces(realPlaces(), { count, seed: 7 }));
    const waiting = [...victims];
    const killNext = ({ permille }: EndedImport): void => {
      const [victim] = waiting;
      if (victim === undefined || permille < (victims.length - waiting.length + 1) * 100) return;
      running.kill(victim);
      waiting.shift();
    };
    const options = { source: 'synthetic', version: 1, synthetic: true, onProgress: killNext };
    const { status, recorded, unchanged, refused } = await importFile({ url: system.url, token }, path, options);
    assert.deepEqual(
      { status, recorded, unchanged, refused, waiting },
      { status: 'completed', recorded: count, unchanged: 0, refused: 0, waiting: [] },
    );
    const places = await placesInLog();
    assert.equal(places.length, count);
    assert.equal(new Set(places).size, count);
    await eventually(async () => {
      const answer = await tenant.read(`/v1/entities/synthetic-7-${count - 1}`);
      const { synthetic } = await contentOf<{ readonly synthetic: boolean }>(answer);
      assert.ok(synthetic);
    });
  });
});
