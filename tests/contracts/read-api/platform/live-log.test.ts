/** The whole log, paged and live, for operators and for tenants; and that the database itself keeps tenants apart. */
import assert from 'node:assert/strict';
import { Pool } from 'pg';
import type { PrincipalEvent } from '../../../../domain/identity/principal/events';
import { tenantQueries } from '../../../../infra/adapters/postgres/tenant-session';
import { registered, suspended } from '../../../identity/examples';
import { readServerSentEvents } from '../../../identity/read-api/server-sent-events';
import { admin, type Json, operator, type Platform, startPlatform, stranger } from './fixture';

const of = (event: PrincipalEvent, principalId: string): PrincipalEvent =>
  ({ ...event, data: { ...event.data, principalId } }) as PrincipalEvent;

const live = '/v1/platform/all/live';

describe('the platform’s queries of the whole log', function () {
  this.timeout(120_000);
  let platform: Platform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());

  const streamsFrom = async (next: ReturnType<typeof readServerSentEvents>, count: number) => {
    const taken: unknown[] = [];
    while (taken.length < count) {
      const { event, data = '{}' } = (await next()) ?? assert.fail('the stream ended');
      if (event === 'recorded') taken.push((JSON.parse(data) as Json).stream);
    }
    return taken;
  };

  it('pages the log both ways, each event once, and filters', async () => {
    const wanted: unknown[] = [];
    for (let count = 0; count < 9; count += 1)
      wanted.push(String(await platform.principal(of(registered, `a-${count}`), 'acme')));
    await platform.principal(of(registered, 'b-1'), 'other');
    for (const direction of ['forwards', 'backwards']) {
      const seen: unknown[] = [];
      for (let from: unknown = ''; from !== undefined; ) {
        const at = from === '' ? '' : `&from=${from}`;
        const { body } = await platform.get(`/v1/platform/all?limit=4&direction=${direction}${at}`, admin);
        seen.push(...body.items.map(({ position }) => position));
        from = body.next;
      }
      assert.deepEqual(seen, direction === 'forwards' ? wanted : wanted.toReversed());
    }
    const filtered = async (query: string) => (await platform.get(`/v1/platform/all?${query}`)).body.items.length;
    assert.equal(await filtered('context=identity&type=identity.PrincipalRegistered.v1'), 10);
    assert.equal(await filtered('type=identity.PrincipalSuspended.v1'), 0);
    assert.equal(await filtered('type=PrincipalRegistered'), 10);
    assert.equal(await filtered('type=Registered'), 0);
    assert.equal(await filtered('context=files'), 0);
    assert.deepEqual(
      (await platform.get('/v1/platform/all', stranger)).body.items.map(({ tenantId }) => tenantId),
      ['other'],
    );
  });

  it('answers positions of another log, and such as no log has', async () => {
    assert.equal((await platform.get('/v1/platform/all?from=99999999999999999999')).status, 400);
    for (const from of ['1', '18446744073709551615'])
      assert.ok([200, 400].includes((await platform.get(`/v1/platform/all?from=${from}`)).status), from);
    assert.equal((await platform.get('/v1/platform/all?limit=1')).status, 200, 'the store goes on');
  });

  it('follows the log: operators all of it, tenants their own, resumed where they were', async () => {
    const [all, own] = [
      readServerSentEvents(await platform.call(live)),
      readServerSentEvents(await platform.call(live, admin)),
    ];
    const [readyAll, readyOwn] = [await all(), await own()];
    assert.deepEqual([readyAll?.event, readyOwn?.event], ['ready', 'ready']);
    await platform.principal(of(registered, 'live-1'), 'acme');
    await platform.principal(of(registered, 'live-2'), 'other');
    await platform.record({ stream: 'imported-1', type: 'odd', data: { secretHash: 'x' } });
    await platform.principal(of(suspended, 'live-1'), 'acme');
    const [one, two] = ['identity.principal-acme.live-1', 'identity.principal-other.live-2'];
    assert.deepEqual(await streamsFrom(all, 4), [one, two, 'imported-1', one]);
    assert.deepEqual(await streamsFrom(own, 2), [one, one]);
    const resumed = readServerSentEvents(await platform.call(live, operator, { 'last-event-id': readyAll?.id ?? '' }));
    assert.deepEqual(await streamsFrom(resumed, 4), [one, two, 'imported-1', one]);
    const filter = `${live}?type=identity.PrincipalSuspended.v1`;
    const suspensions = readServerSentEvents(
      await platform.call(filter, admin, { 'last-event-id': readyOwn?.id ?? '' }),
    );
    assert.deepEqual(await streamsFrom(suspensions, 1), [one]);
    const foreign = await platform.call(live, stranger, { 'last-event-id': readyAll?.id ?? '' });
    assert.equal(foreign.status, 400, 'an id of an operator is none of a tenant');
  });

  it('shows the reading role one tenant at a time also in the platform’s views, and all to operators only', async () => {
    const position = await platform.principal(of(registered, 'kept'), 'acme');
    await platform.get('/v1/platform/streams', operator, position);
    await platform.get('/v1/platform/events/none', operator, position);
    const pool = new Pool({ connectionString: platform.reader, max: 1 });
    const query = tenantQueries(pool, platform.reader);
    const count = async (tenant: string, table: string) =>
      Number((await query<{ count: string }>(tenant, { text: `select count(*) from septet.${table}` })).rows[0]?.count);
    try {
      for (const view of ['platform_streams', 'platform_events']) {
        const [all, acme, other] = [await count('*', view), await count('acme', view), await count('other', view)];
        assert.ok(acme > 0 && other > 0 && all > acme + other - 1, view);
        assert.equal(await count('nobody', view), 0, view);
      }
      assert.equal(await count('*', 'identity_principals'), 0, 'other views know no operators');
      await pool.query(`select set_config('septet.tenant', '*', false)`);
      const unsealed = await pool.query<{ count: string }>('select count(*) from septet.platform_streams');
      assert.equal(unsealed.rows[0]?.count, '0');
      for (const table of ['timers', 'work_jobs', 'leases'])
        await assert.rejects(pool.query(`select * from septet.${table}`), /permission denied/, table);
    } finally {
      await pool.end();
    }
  });
});
