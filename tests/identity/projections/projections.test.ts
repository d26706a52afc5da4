import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { principalHistoryProjection } from '../../../projections/identity/principal-history/project';
import { principalsProjection } from '../../../projections/identity/principals/project';
import { securityEventsProjection } from '../../../projections/identity/security-events/project';
import { securityEventOf } from '../../../projections/identity/security-events/view';
import { collectAllChanges } from '../../../projections/kernel/projector/view-batch';
import { bumped, issued, noon, principalId, reactivated, registered, revoked, suspended } from '../examples';
import { historyOf, projections, rowsAfter, token } from './rows';

const life = historyOf([registered, issued(), suspended, bumped(1), reactivated, revoked, token]);

const oneEvent = fc
  .tuple(fc.constantFrom(suspended, reactivated, bumped(1), issued(), revoked, registered, token), fc.nat(3))
  .map(
    ([event, number]) =>
      ({ ...event, data: { ...event.data, principalId: `p-${number}` as PrincipalId } }) as PrincipalEvent,
  );

describe('identity projections', () => {
  it('keep a principal with the fields of the specification', async () => {
    assert.deepEqual(await rowsAfter(principalsProjection, [life]), [
      {
        tenantId: 'acme',
        principalId,
        principalType: 'PIPELINE',
        status: 'ACTIVE',
        securityEpoch: 2,
        createdAt: noon,
        isAdmin: false,
        isAuditor: false,
        login: null,
        name: null,
        terms: ['p', '1'],
        revision: 5,
      },
    ]);
    const [row] = await rowsAfter(principalsProjection, [life.slice(0, 4)]);
    assert.equal((row as { status: string }).status, 'SUSPENDED');
  });

  it('tell every event of a principal, and of tokens too for who watches security', async () => {
    const history = await rowsAfter(principalHistoryProjection, [life]);
    assert.deepEqual(
      history.map((row) => (row as { type: string }).type),
      life.slice(0, 6).map(({ type }) => type.split('.')[1]),
    );
    const events = await rowsAfter(securityEventsProjection, [life]);
    assert.equal(events.length, life.length);
    assert.deepEqual(
      life.map(securityEventOf).map((row) => row?.eventId),
      life.map(({ id }) => id),
    );
  });

  it('tell no hash of a secret and no address of a person', async () => {
    for (const projection of projections) {
      const text = JSON.stringify(await rowsAfter(projection, [life]));
      assert.ok(!text.includes('ab'.repeat(32)) && !text.includes('192.0.2.7'));
    }
  });

  it('write rows that their own codec and declared fields hold', async () => {
    for (const projection of projections) {
      const { view } = projection;
      const fields = view.store === 'postgres' ? view.columns : view.store === 'elastic' ? view.mappings : undefined;
      for (const row of await rowsAfter(projection, [life])) {
        assert.ok(view.row.is(row), view.name);
        if (fields !== undefined) assert.deepEqual(Object.keys(row as object).sort(), Object.keys(fields).sort());
      }
    }
  });

  it('are the same however the events are batched and repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(oneEvent, { maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 10 }),
        async (events, at) => {
          const all = historyOf(events);
          const bounds = [...new Set([0, ...at.filter((cut) => cut < all.length), all.length])].toSorted(
            (a, b) => a - b,
          );
          const cuts = bounds.slice(1).map((end, index) => all.slice(bounds[index], end));
          for (const projection of projections)
            assert.deepEqual(await rowsAfter(projection, cuts), await rowsAfter(projection, [all]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('show a tenant nothing of another', async () => {
    const other = historyOf([registered, token], 'other');
    for (const projection of projections) {
      assert.deepEqual(await rowsAfter(projection, [other], 'acme'), []);
      assert.ok((await rowsAfter(projection, [other], 'other')).length > 0);
    }
  });

  it('take no event whose stream and metadata name different tenants', () => {
    const [event] = historyOf([registered]);
    const forged = { ...(event as StoredEvent), stream: `identity.principal-other.${principalId}` };
    assert.equal(
      collectAllChanges(principalsProjection, [forged]).poison?.reason,
      'The stream and the metadata name different tenants.',
    );
  });
});
