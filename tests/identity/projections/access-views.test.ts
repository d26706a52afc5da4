import assert from 'node:assert/strict';
import { type ClientEvent, clients } from '../../../domain/identity/client/events';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { DomainEvent } from '../../../domain/kernel/family';
import { projections } from '../../../projections/composition/projections';
import { authoritiesProjection } from '../../../projections/identity/authorities/project';
import { clientsProjection } from '../../../projections/identity/clients/project';
import { credentialsProjection } from '../../../projections/identity/credentials/project';
import { grantsProjection } from '../../../projections/identity/grants/project';
import { principalsProjection } from '../../../projections/identity/principals/project';
import { refreshFamiliesProjection } from '../../../projections/identity/refresh-families/project';
import { securityEventsProjection } from '../../../projections/identity/security-events/project';
import { sessionsProjection } from '../../../projections/identity/sessions/project';
import { signingKeysProjection } from '../../../projections/identity/signing-keys/project';
import { keysTenant } from '../../../projections/identity/signing-keys/view';
import type { Projection } from '../../../projections/kernel/projection';
import { evening, noon, principalId, registered } from '../examples';
import { eventsOfStory, hashes, ids, type Story, stories, story } from './access-examples';
import { historyOf, rowsAfter } from './rows';

type Row = Readonly<Record<string, unknown>>;

const ofIdentity = projections.filter(({ view }) => view.name.startsWith('identity_'));

/** The one row of a projection after so many events of a story. */
const rowAfter = async (projection: Projection, of: Story<DomainEvent>, count?: number, tenant = 'acme') => {
  const rows = await rowsAfter(projection, [eventsOfStory(of, count)], tenant);
  assert.equal(rows.length, 1);
  return rows[0] as Row;
};

const picked = (row: Row, ...fields: readonly string[]): readonly unknown[] => fields.map((field) => row[field]);

describe('views of access', () => {
  it('keep a session from its opening to its end', async () => {
    const { session } = stories;
    const fields = ['status', 'authenticatedAt', 'methods', 'endedAt', 'reason', 'revision'];
    assert.deepEqual(picked(await rowAfter(sessionsProjection, session, 1), ...fields), [
      ...['ACTIVE', noon, ['pwd'], null, null, 0],
    ]);
    assert.deepEqual(picked(await rowAfter(sessionsProjection, session), ...fields), [
      ...['ENDED', evening, ['pwd', 'otp'], noon, 'Signed out.', 2],
    ]);
  });

  it('keep a grant as the specification has it, and how it ended', async () => {
    const { grant } = stories;
    const fields = ['grantId', 'principalId', 'principalType', 'refreshFamilyId', 'status', 'createdAt', 'expiresAt'];
    assert.deepEqual(picked(await rowAfter(grantsProjection, grant, 1), ...fields), [
      ...[ids.grant, principalId, 'HUMAN', ids.family, 'ACTIVE', noon, evening],
    ]);
    assert.deepEqual(picked(await rowAfter(grantsProjection, grant, 2), 'status', 'reason', 'incidentId'), [
      ...['REVOKED', 'Not needed.', null],
    ]);
    assert.deepEqual(picked(await rowAfter(grantsProjection, grant), 'status', 'incidentId'), [
      ...['COMPROMISED', ids.incident],
    ]);
  });

  const raised = (grants: 'ended' | 'kept'): PrincipalEvent => ({
    type: 'SecurityEpochBumped',
    data: { principalId, from: 1, to: 2, grants, reason: 'Laptop stolen.' },
  });
  const suspended: PrincipalEvent = { type: 'PrincipalSuspended', data: { principalId, reason: 'Laptop stolen.' } };
  /** The first event of a story, and what then becomes of its principal. */
  const followed = async (
    projection: Projection,
    of: Story<DomainEvent>,
    events: readonly PrincipalEvent[],
    cuts = 1,
  ) => {
    const opened = eventsOfStory(of, 1);
    const later = historyOf(events).map((stored) => ({ ...stored, position: stored.position + 1_000_000n }));
    const all = cuts === 1 ? [[...opened, ...later]] : [opened, later];
    const [row] = await rowsAfter(projection, all);
    return picked(row as Row, 'status', 'reason', 'endedBy', 'revision');
  };
  const ofEpoch = ['Laptop stolen.', 'security-epoch', 0];
  for (const cuts of [1, 2]) {
    const when = cuts === 1 ? 'in the batch that opened it' : 'in a later batch';
    it(`end a session with every raised epoch, ${when}`, async () => {
      for (const grants of ['ended', 'kept'] as const)
        assert.deepEqual(await followed(sessionsProjection, stories.session, [raised(grants)], cuts), [
          'ENDED',
          ...ofEpoch,
        ]);
    });
    it(`end grants and refresh tokens with a raised epoch that says so, ${when}`, async () => {
      for (const [projection, of] of [
        [grantsProjection, stories.grant],
        [refreshFamiliesProjection, stories.family],
      ] as const) {
        assert.deepEqual(await followed(projection, of, [raised('ended')], cuts), ['REVOKED', ...ofEpoch]);
        assert.deepEqual(await followed(projection, of, [raised('kept')], cuts), ['ACTIVE', null, null, 0]);
        // As an epoch of version 1 reads beside the suspension that raised it.
        assert.deepEqual(await followed(projection, of, [suspended, raised('kept')], cuts), ['REVOKED', ...ofEpoch]);
      }
    });
  }
  it('end grants and refresh tokens of a client whose registration changed, and of no other', async () => {
    for (const [projection, opened] of [
      [grantsProjection, stories.grant],
      [refreshFamiliesProjection, stories.family],
    ] as const) {
      const [{ clientId = '' } = {}] = (await rowsAfter(projection, [eventsOfStory(opened, 1)])) as readonly {
        readonly clientId?: string;
      }[];
      const rowEnd = async (applicationId: string): Promise<readonly unknown[]> => {
        const was = { name: 'App', redirectUris: ['https://app.example/'], authentication: 'none' };
        const data = { applicationId, at: evening, was };
        const voided = story<ClientEvent>({
          family: clients,
          stream: (tenant) => `identity.client-${tenant}.${applicationId}`,
          lines: [{ type: 'ClientGrantsVoided', data }],
        });
        const later = eventsOfStory(voided).map((stored) => ({ ...stored, position: stored.position + 1_000_000n }));
        const [row] = await rowsAfter(projection, [[...eventsOfStory(opened, 1), ...later]]);
        return picked(row as Row, 'status', 'endedBy', 'endedAt', 'revision');
      };
      const [, applicationId = ''] = clientId.split('~');
      assert.deepEqual(await rowEnd(applicationId), ['REVOKED', 'client-change', noon, 0]);
      assert.deepEqual(await rowEnd(`${applicationId}-2`), ['ACTIVE', null, null, 0]);
    }
  });

  it('end nothing of another principal or tenant with a raised epoch, and nothing twice', async () => {
    const other = historyOf([
      { ...raised('ended'), data: { ...raised('ended').data, principalId: 'p-other' } } as PrincipalEvent,
    ]);
    const elsewhere = historyOf([raised('ended')], 'beta');
    const ended = eventsOfStory(stories.session);
    const later = [...other, ...elsewhere].map((stored, index) => ({
      ...stored,
      position: 1_000_000n + BigInt(index),
    }));
    const [untouched] = await rowsAfter(sessionsProjection, [[...eventsOfStory(stories.session, 1), ...later]]);
    assert.equal((untouched as Row).status, 'ACTIVE');
    const own = historyOf([raised('ended')]).map((stored) => ({ ...stored, position: 1_000_000n }));
    const [signedOut] = await rowsAfter(sessionsProjection, [[...ended, ...own]]);
    assert.deepEqual(picked(signedOut as Row, 'reason', 'endedBy'), ['Signed out.', 'itself']);
  });

  it('count the rotations of a family of refresh tokens, and say how it died', async () => {
    const { family } = stories;
    const fields = ['status', 'rotationCounter', 'lastUsedAt', 'binding', 'incidentId'];
    assert.deepEqual(picked(await rowAfter(refreshFamiliesProjection, family, 1), ...fields), [
      ...['ACTIVE', 0, null, 'dpop', null],
    ]);
    assert.deepEqual(picked(await rowAfter(refreshFamiliesProjection, family, 3), ...fields), [
      ...['COMPROMISED', 1, evening, 'dpop', ids.incident],
    ]);
    assert.equal((await rowAfter(refreshFamiliesProjection, family)).status, 'REVOKED');
  });

  it('keep a client as it was changed last, and its secrets beside it', async () => {
    const { client } = stories;
    assert.deepEqual(picked(await rowAfter(clientsProjection, client, 5), 'name', 'status', 'createdAt', 'revision'), [
      ...['Invoices', 'DISABLED', noon, 4],
    ]);
    assert.equal((await rowAfter(clientsProjection, client)).status, 'ACTIVE');
    const fields = ['owner', 'ownerId', 'credentialId', 'scopes', 'expiresAt', 'revokedAt', 'reason'];
    assert.deepEqual(picked(await rowAfter(credentialsProjection, client), ...fields), [
      ...['client', ids.application, ids.secret, null, evening, noon, 'Leaked.'],
    ]);
  });

  it('keep where a signing key is in its life, under the name of the platform', async () => {
    const states = ['CREATED', 'PUBLISHED', 'ACTIVE', 'RETIRED', 'REVOKED'];
    for (const [index, state] of states.entries())
      assert.equal((await rowAfter(signingKeysProjection, stories.key, index + 1, keysTenant)).state, state);
    assert.deepEqual(await rowsAfter(signingKeysProjection, [eventsOfStory(stories.key)], 'acme'), []);
  });

  it('keep roles and scopes as they are given and taken, and the first admin’s from the beginning', async () => {
    const roles = ['admin', 'auditor'] as const;
    const events = historyOf([
      registered,
      { type: 'RolesGranted', data: { principalId, roles: [...roles] } },
      { type: 'ScopesGranted', data: { principalId, scopes: ['principals:read'] as never } },
      { type: 'RolesWithdrawn', data: { principalId, roles: ['admin'], reason: 'Moved on.' } },
    ]);
    const named = (await rowsAfter(authoritiesProjection, [events])) as readonly Row[];
    assert.deepEqual(
      named.map((row) => picked(row, 'kind', 'name')),
      [
        ['role', 'auditor'],
        ['scope', 'principals:read'],
      ],
    );
    const [row] = (await rowsAfter(principalsProjection, [events])) as readonly Row[];
    assert.deepEqual(picked(row as Row, 'isAdmin', 'isAuditor', 'revision'), [false, true, 3]);
    const first = { ...registered, data: { ...registered.data, principalId: 'admin' } } as typeof registered;
    const [admin] = (await rowsAfter(principalsProjection, [historyOf([first])])) as readonly Row[];
    assert.equal(admin?.isAdmin, true);
    assert.equal((await rowsAfter(authoritiesProjection, [historyOf([first])])).length, 1);
  });

  it('tell who watches security what happened, and which of it is an alarm', async () => {
    const severities = async (of: Story<DomainEvent>, tenant = 'acme') => {
      const rows = (await rowsAfter(securityEventsProjection, [eventsOfStory(of)], tenant)) as readonly Row[];
      return rows.filter(({ severity }) => severity !== null).map((row) => picked(row, 'type', 'severity'));
    };
    for (const quiet of [stories.family, stories.session]) assert.deepEqual(await severities(quiet), []);
    assert.deepEqual(await severities(stories.incident), [['IncidentOpened', 'SEV-2']]);
    assert.deepEqual(await severities(stories.key, keysTenant), [['KeyRevoked', 'SEV-1']]);
    const clientRows = (await rowsAfter(securityEventsProjection, [eventsOfStory(stories.client)])) as readonly Row[];
    assert.ok(clientRows.every(({ clientId, principalId: who }) => clientId === 'acme~a-1' && who === null));
  });

  it('write rows that their own codec and declared fields hold, and show no hash, device or address', async () => {
    for (const { view, sources } of ofIdentity)
      for (const [name, of] of Object.entries(stories)) {
        const tenant = name === 'key' ? keysTenant : 'acme';
        const rows = await rowsAfter({ view, sources }, [eventsOfStory(of)], tenant);
        const fields = view.store === 'postgres' ? view.columns : view.store === 'elastic' ? view.mappings : undefined;
        for (const row of rows) {
          assert.ok(view.row.is(row), `${view.name} ${name}`);
          if (fields !== undefined) assert.deepEqual(Object.keys(row as object).sort(), Object.keys(fields).sort());
        }
        const text = JSON.stringify(rows);
        for (const hidden of [...hashes, 'Firefox', '192.0.2.7']) assert.ok(!text.includes(hidden), view.name);
      }
  });

  it('show a tenant nothing of another, and come out the same in one batch or many', async () => {
    for (const projection of ofIdentity)
      for (const of of [stories.session, stories.grant, stories.family, stories.client]) {
        const events = eventsOfStory(of, undefined, 'other');
        assert.deepEqual(await rowsAfter(projection, [events], 'acme'), []);
        const singly = events.map((event) => [event]);
        const together = await rowsAfter(projection, [events], 'other');
        assert.deepEqual(await rowsAfter(projection, singly, 'other'), together);
      }
  });
});
