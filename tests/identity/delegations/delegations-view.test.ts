/** Delegations on the query side: what ends a row, and who sees it. */
import assert from 'node:assert/strict';
import { type DelegationEvent, delegations } from '../../../domain/identity/delegation/events';
import type { GrantEvent } from '../../../domain/identity/grant/events';
import { grants } from '../../../domain/identity/grant/events';
import type { DelegationId, GrantId } from '../../../domain/identity/ids';
import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import { type SessionEvent, sessions } from '../../../domain/identity/session/events';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { ViewRow } from '../../../infra/ports/views/view-store';
import { delegationsProjection } from '../../../projections/identity/delegations/project';
import type { DelegationRow } from '../../../projections/identity/delegations/view';
import { eventsOfStory, type Story, story } from '../projections/access-examples';
import { rowsAfter } from '../projections/rows';
import { reader, startReadApi, stranger } from '../read-api/fixture';
import { agentId, created, delegationId, delegatorId, grantId, revoked, sessionId } from './examples';

const made = story<DelegationEvent>({
  family: delegations,
  stream: (tenant) => `identity.delegation-${tenant}.${delegationId}`,
  lines: [created(), revoked],
});
const passedOn = story<DelegationEvent>({
  family: delegations,
  stream: (tenant) => `identity.delegation-${tenant}.d-2`,
  lines: [
    created({ delegationId: 'd-2' as DelegationId, grantId: 'g-2' as GrantId, sourceGrantId: grantId, depth: 2 }),
  ],
});
const grantRevoked = story<GrantEvent>({
  family: grants,
  stream: (tenant) => `identity.grant-${tenant}.${grantId}`,
  lines: [{ type: 'GrantRevoked', data: { grantId, principalId: delegatorId, reason: 'Done.' } }],
});
const signedOut = story<SessionEvent>({
  family: sessions,
  stream: (tenant) => `identity.session-${tenant}.${sessionId}`,
  lines: [{ type: 'SessionEnded', data: { sessionId, principalId: delegatorId, reason: 'Done.' } }],
});
const epoch = (grantsOfBefore: 'ended' | 'kept') =>
  story<PrincipalEvent>({
    family: principals,
    stream: (tenant) => `identity.principal-${tenant}.${delegatorId}`,
    lines: [
      {
        type: 'SecurityEpochBumped',
        data: { principalId: delegatorId, from: 1, to: 2, grants: grantsOfBefore, reason: 'Done.' },
      },
    ],
  });

const rowsOf = async (...more: readonly Story<DomainEvent>[]) => {
  const later = more.map((one, index) =>
    eventsOfStory(one).map((event) => ({ ...event, position: BigInt(index + 3) * 1_000n })),
  );
  const passed = eventsOfStory(passedOn).map((event) => ({ ...event, position: 500n }));
  const rows = await rowsAfter(delegationsProjection, [eventsOfStory(made, 1), passed, ...later]);
  return rows as readonly DelegationRow[];
};
const statuses = async (...more: readonly Story<DomainEvent>[]) => (await rowsOf(...more)).map(({ status }) => status);

describe('the view of delegations', () => {
  it('ends them with their grant, the grant behind it, their session and their delegator', async () => {
    assert.deepEqual(await statuses(), ['ACTIVE', 'ACTIVE']);
    assert.deepEqual(await statuses(epoch('kept')), ['ACTIVE', 'ACTIVE']);
    for (const end of [grantRevoked, signedOut, epoch('ended')])
      assert.deepEqual(await statuses(end), ['REVOKED', 'REVOKED']);
  });
  it('has when and why one was revoked', async () => {
    const [row] = await rowsAfter(delegationsProjection, [eventsOfStory(made)]);
    const { status, reason, endedAt } = row as DelegationRow;
    assert.deepEqual([status, reason, endedAt !== null], ['REVOKED', 'Done.', true]);
  });
});

describe('reading delegations', () => {
  let api: Awaited<ReturnType<typeof startReadApi>>;
  before(async () => {
    api = await startReadApi();
    await api.views.write(delegationsProjection.view, 7n, (await rowsOf()) as readonly ViewRow[]);
  });
  after(() => api.close());

  const status = async (path: string, as: object) =>
    (await api.get(path, { identity: { ...reader(), scopes: [], ...as } })).status;
  const one = `/v1/delegations/${delegationId}`;
  const agent = { principalId: agentId, principalType: 'AI_AGENT' };

  it('is for who may read grants, for the delegator, and for the agent', async () => {
    for (const as of [
      { scopes: ['grants:read'] },
      { principalId: delegatorId, scopes: ['account:read'] },
      { principalId: delegatorId, scopes: ['delegations:create'] },
      agent,
    ])
      assert.equal(await status(one, as), 200, JSON.stringify(as));
    for (const as of [
      {},
      { principalId: delegatorId, scopes: ['openid'] },
      { scopes: ['account:read'] },
      { ...stranger, scopes: ['grants:read'] },
      { ...agent, principalId: 'agent-2' },
    ])
      assert.equal(await status(one, as), 404, JSON.stringify(as));
  });

  it('lists those of a delegator or an agent, to both of them', async () => {
    assert.equal(await status('/v1/delegations', {}), 403);
    assert.equal(await status(`/v1/delegations?agentId=${agentId}`, agent), 200);
    assert.equal(await status('/v1/delegations?agentId=agent-2', agent), 403);
    const identity = { ...reader(), principalId: delegatorId, scopes: ['account:read'] };
    const { body } = await api.get(`/v1/delegations?delegatorId=${delegatorId}&status=ACTIVE`, { identity });
    const items = body.items as readonly Record<string, unknown>[];
    assert.equal(items.length, 2);
    assert.deepEqual([items[0]?.sourceGrantId, items[0]?.tenantId], [undefined, undefined]);
    const later = await api.get(`/v1/delegations?delegatorId=${delegatorId}&expiresAfter=2027-01-01T00:00:00.000Z`, {
      identity,
    });
    assert.deepEqual(later.body.items, []);
  });
});
