/** Places through the gateway of a running system: from a feed to the query side. */
import assert from 'node:assert/strict';
import { contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Applied {
  readonly outcomes: readonly string[];
  readonly position: string;
}

const change = (entity_id: string, version: number, fields: object = {}) => ({
  entity_id,
  version,
  op: 'update',
  source: 'feed',
  data: { name: 'Café de Flore', category: 'cafe', lat: 48.854, lng: 2.3326, ...fields },
});
const removal = (entity_id: string, version: number) => ({ entity_id, version, op: 'delete', source: 'feed' });

describe('places of a feed', function () {
  this.timeout(120_000);
  let system: System;
  let [ours, theirs]: readonly Tenant[] = [];
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    [ours, theirs] = await Promise.all([openTenant(system), openTenant(system)]);
  });
  after(() => system.close());

  const apply = async ({ send }: Tenant, ...changes: readonly object[]): Promise<Applied> => {
    const answer = await send('POST', '/v1/places:batch', { changes });
    const { results } = await contentOf<{ readonly results: readonly { readonly outcome: string }[] }>(answer);
    return { outcomes: results.map(({ outcome }) => outcome), position: answer.headers.get('position') ?? '' };
  };
  /** Once it is visible. */
  const entity = async ({ read }: Tenant, id: string, position: string): Promise<Response> => {
    let answer: Response | undefined;
    await eventually(async () => {
      answer = await read(`/v1/entities/${id}`, { position });
      assert.notEqual(answer.status, 503);
    });
    return answer as Response;
  };

  it('are shown whole, with what commands and caches need', async () => {
    const hours = {
      tz: 'Europe/Paris',
      weekly: [{ day: 1, open: '07:30', close: '01:30' }],
      exceptions: [{ date: '2026-12-25', intervals: [] }],
    };
    const address = { street: '172 boulevard Saint-Germain', locality: 'Paris', postal_code: '75006', country: 'FR' };
    const more = { hours, address, rating: 4.1, rating_count: 7, attributes: { terrace: true }, popularity: 900 };
    const { outcomes, position } = await apply(ours as Tenant, change('flore', 3, more));
    assert.deepEqual(outcomes, ['recorded']);
    const answer = await entity(ours as Tenant, 'flore', position);
    assert.equal(answer.headers.get('etag'), 'W/"0"');
    assert.ok(BigInt(answer.headers.get('position') ?? '') >= BigInt(position));
    assert.deepEqual(await answer.json(), {
      entity_id: 'flore',
      name: 'Café de Flore',
      alternative_names: [],
      category: 'cafe',
      lat: 48.854,
      lng: 2.3326,
      address: { ...address, region: null },
      hours,
      rating: 4.1,
      rating_count: 7,
      popularity: 900,
      attributes: { terrace: true },
      status: 'active',
      source: 'feed',
      version: 3,
      occurred_at: null,
      synthetic: false,
      attribution: null,
      owner: 'feed',
    });
  });

  it('are gone once they are removed, whatever arrives late; what was never there is not found', async () => {
    const { outcomes, position } = await apply(
      ours as Tenant,
      change('closed', 1),
      removal('closed', 3),
      change('closed', 2),
    );
    assert.deepEqual(outcomes, ['recorded', 'recorded', 'outdated']);
    assert.equal((await entity(ours as Tenant, 'closed', position)).status, 410);
    assert.equal((await entity(ours as Tenant, 'never', position)).status, 404);
  });

  it('are nothing to other tenants, which have places of the same ids of their own', async () => {
    const { position } = await apply(ours as Tenant, change('shared', 1, { name: 'Ours' }));
    assert.equal((await entity(theirs as Tenant, 'shared', position)).status, 404);
    const other = await apply(theirs as Tenant, change('shared', 1, { name: 'Theirs' }));
    const place = (await (await entity(ours as Tenant, 'shared', other.position)).json()) as { readonly name: string };
    assert.equal(place.name, 'Ours');
  });
});
