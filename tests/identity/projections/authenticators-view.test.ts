import assert from 'node:assert/strict';
import { type AuthenticatorEvent, authenticators } from '../../../domain/identity/authenticators/events';
import type { ViewRow } from '../../../infra/ports/views/view-store';
import { authenticatorsProjection } from '../../../projections/identity/authenticators/project';
import { securityEventsProjection } from '../../../projections/identity/security-events/project';
import type { SecurityEventRow } from '../../../projections/identity/security-events/row';
import { evening, noon, principalId } from '../examples';
import { reader, startReadApi, stranger } from '../read-api/fixture';
import { rowsAfter } from './rows';
import { eventsOfStory, story } from './story';

const [passkeyId, reason] = ['mFrWZp9n0A', 'The phone was stolen.'];
const added = { passkeyId, publicKey: 'cose', counter: 1, transports: [], name: 'Laptop', addedAt: evening };
const hidden = ['h-1', 'AAAA', 'cose', 'Laptop', 'ada'];

const way = story<AuthenticatorEvent>({
  family: authenticators,
  stream: (tenant) => `identity.authenticators-${tenant}.${principalId}`,
  lines: [
    { type: 'ProfileSet', data: { principalId, login: 'ada', displayName: 'ada', email: null } },
    { type: 'PasswordSet', data: { principalId, hash: 'h-1', setAt: noon } },
    { type: 'TotpEnrolled', data: { principalId, seed: 'AAAA', enrolledAt: noon } },
    { type: 'PasskeyAdded', data: { principalId, ...added } },
    { type: 'PasskeyUsed', data: { principalId, passkeyId, counter: 2 } },
    { type: 'PasskeyRemoved', data: { principalId, passkeyId, removedAt: evening, reason } },
    { type: 'TotpRemoved', data: { principalId, removedAt: evening, reason: null } },
    { type: 'PasswordRemoved', data: { principalId, removedAt: evening } },
  ],
});

const rowsUntil = (count: number, tenant = 'acme') =>
  rowsAfter(authenticatorsProjection, [eventsOfStory(way, count)], tenant) as Promise<readonly ViewRow[]>;

describe('with what people sign in, as others see it', () => {
  it('is there from when it was added until it is removed, and only that it is', async () => {
    const counts = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (count) => (await rowsUntil(count)).length));
    assert.deepEqual(counts, [0, 1, 2, 3, 3, 2, 1, 0]);
    const rows = await rowsUntil(5);
    for (const row of rows) assert.ok(authenticatorsProjection.view.row.is(row));
    for (const word of hidden) assert.ok(!JSON.stringify(rows).includes(`"${word}"`), word);
    assert.deepEqual(await rowsUntil(5, 'other'), []);
  });

  it('is visible with the scope to read principals, in the same tenant only', async () => {
    const api = await startReadApi();
    await api.views.write(authenticatorsProjection.view, 7n, await rowsUntil(5));
    const path = `/v1/principals/${principalId}/authenticators`;
    assert.deepEqual((await api.get(path, { identity: reader() })).body.items, [
      { kind: 'password', authenticatorId: 'password', addedAt: noon },
      { kind: 'totp', authenticatorId: 'totp', addedAt: noon },
      { kind: 'passkey', authenticatorId: passkeyId, addedAt: evening },
    ]);
    assert.equal((await api.get(`${path}?kind=passkey`, { identity: reader() })).body.items.length, 1);
    assert.deepEqual((await api.get(path, { identity: stranger })).body.items, []);
    assert.equal((await api.get(path, { identity: { ...reader(), scopes: ['account:read'] } })).status, 403);
    await api.close();
  });

  it('records whether the person or another principal removed it, and why', async () => {
    const rows = (await rowsAfter(securityEventsProjection, [eventsOfStory(way)])) as readonly SecurityEventRow[];
    const removals = rows.flatMap(({ type, summary, details }) => (/Removed$/.test(type) ? [[summary, details]] : []));
    assert.deepEqual(removals, [
      [`Passkey removed by an administrator: ${reason}`, { passkeyId, reason }],
      ['Authenticator app removed.', {}],
      ['Password removed.', {}],
    ]);
  });
});
