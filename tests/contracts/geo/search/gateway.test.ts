/** Places from the feed to the search, through the gateway of a running system. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchAnswer } from '../../../support/geo/search-stage';
import { contentOf, openTenant, type Tenant } from '../../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../../support/processes/running-system';
import { fromRunner, requireElasticsearch } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';

/** Digits that nothing else has. */
const there = { lat: 48.8540717, lng: 2.3326191 };
const query = `lat=${there.lat}&lng=${there.lng}`;

describe('the search behind the gateway', function () {
  this.timeout(120_000);
  let system: System;
  let shared: SharedSystem;
  let [ours, theirs]: readonly Tenant[] = [];
  before(async () => {
    shared = JSON.parse(await fromRunner('system')) as SharedSystem;
    system = openSystem(shared);
    [ours, theirs] = await Promise.all([openTenant(system), openTenant(system)]);
  });
  after(() => system.close());

  const send = async (...changes: readonly object[]): Promise<string> => {
    const envelopes = changes.map((change) => ({ op: 'update', source: 'feed', version: 1, ...change }));
    const answer = await (ours as Tenant).send('POST', '/v1/places:batch', { changes: envelopes });
    await contentOf(answer);
    return answer.headers.get('position') ?? '';
  };
  const search = async (tenant: Tenant, parameters: string, position?: string): Promise<SearchAnswer> => {
    await requireElasticsearch();
    let answer: Response | undefined;
    await eventually(async () => {
      answer = await tenant.read(`/v1/search?${parameters}`, position === undefined ? {} : { position });
      assert.notEqual(answer.status, 503);
    });
    return contentOf<SearchAnswer>(answer as Response);
  };

  it('finds what a feed sent, and its changes', async () => {
    const data = { name: 'Café de Flore', category: 'cafe', ...there };
    const position = await send({ entity_id: 'flore', data }, { entity_id: 'other', data: { ...data, lat: 48.9 } });
    const found = await search(ours as Tenant, `${query}&query=flore`, position);
    assert.deepEqual(
      found.results.map(({ entity_id: id, distance_m: meters }) => [id, meters]),
      [['flore', 0]],
    );
    const removed = await send({ entity_id: 'flore', op: 'delete', version: 2 });
    assert.deepEqual((await search(ours as Tenant, query, removed)).results, []);
  });

  it('shows nothing to another tenant', async () => {
    const position = await send({ entity_id: 'ours', data: { name: 'Ours', category: 'cafe', ...there } });
    assert.equal((await search(ours as Tenant, query, position)).results.length, 1);
    for (const parameters of [query, `${query}&bbox=-90,-180,90,180`, `${query}&query=ours`])
      assert.deepEqual((await search(theirs as Tenant, parameters, position)).results, []);
  });

  it('leaves no coordinate in the logs of any process', async () => {
    await (ours as Tenant).read(`/v1/search?${query}&radius_m=0`);
    await (ours as Tenant).read(`/v1/search?${query}`, { token: 'none' });
    const directory = join(shared.data, 'logs');
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name));
    const logs = files.filter((path) => statSync(path).isFile());
    assert.ok(logs.length > 3);
    for (const path of logs) {
      const text = readFileSync(path, 'utf8');
      for (const degrees of Object.values(there)) assert.ok(!text.includes(String(degrees)), path);
    }
  });
});
