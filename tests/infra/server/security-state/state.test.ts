import assert from 'node:assert/strict';
import type { SecurityChange } from '../../../../infra/ports/identity/security-state';
import { forever, retentionMilliseconds } from '../../../../infra/server/security-state/retention';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { change, claims, start } from './changes';

const having = (...changes: readonly SecurityChange[]) => {
  const clock = { now: start };
  const state = createSecurityState(() => clock.now);
  for (const one of changes) state.apply(one);
  return { clock, state };
};
const refusalAfter = (...changes: readonly SecurityChange[]) => having(...changes).state.refusal(claims(), 'key-1');

describe('the security state', () => {
  it('refuses only revoked tokens', () => assert.equal(refusalAfter(), undefined));

  it('refuses below the epoch of its principal, by its own word', () => {
    const bump = change({ kind: 'epoch', subject: 'p-1', minimum: 2 });
    assert.equal(refusalAfter(bump), 'token_revoked');
    assert.equal(having(bump).state.refusal(claims({ security_epoch: 2 }), 'key-1'), undefined);
  });

  const next = start + 1_000;
  const named = {
    jti: change({ kind: 'jti', subject: 'j-1' }),
    grant: change({ kind: 'grant', subject: 'g-1' }),
    session: change({ kind: 'session', subject: 's-1' }),
    client: change({ kind: 'client', subject: 'acme~app', minimum: next }),
    key: change({ kind: 'key', tenantId: '', subject: 'key-1', until: forever }),
    'floor of its tenant': change({ kind: 'tenantEpoch', minimum: next }),
    'floor of everybody': change({ kind: 'globalEpoch', tenantId: '', minimum: next }),
  };
  for (const [name, one] of Object.entries(named))
    it(`refuses by ${name}`, () => assert.equal(refusalAfter(one), 'revoked'));

  for (const [name, one] of Object.entries(named).filter(([, { tenantId }]) => tenantId !== ''))
    it(`takes no ${name} of another tenant for its own`, () =>
      assert.equal(refusalAfter({ ...one, tenantId: 'other' }), undefined));
  it('takes no epoch of another tenant for its own', () =>
    assert.equal(refusalAfter(change({ kind: 'epoch', tenantId: 'other', subject: 'p-1', minimum: 9 })), undefined));

  it('takes what names another one for nothing', () => {
    for (const kind of ['jti', 'grant', 'session', 'key'] as const)
      assert.equal(
        refusalAfter(change({ kind, subject: 'another', tenantId: kind === 'key' ? '' : 'acme' })),
        undefined,
      );
  });
  it('lets in what was issued from a floor on', () => {
    for (const one of [named.client, named['floor of its tenant'], named['floor of everybody']])
      assert.equal(having(one).state.refusal(claims({ iat: next / 1000 }), 'key-1'), undefined);
  });
  it('knows a token without grant, session and client, too', () => {
    const { gid, sid, client_id, ...bare } = claims();
    assert.ok(gid && sid && client_id);
    assert.equal(having(...Object.values(named).slice(1, 4)).state.refusal(bare, 'key-1'), undefined);
  });
});

describe('the security state of a token by which an agent acts for another', () => {
  const prior = { sub: 'agent-1', security_epoch: 4, gid: 'g-first' };
  const delegated = claims({ on_behalf_of: 'ada', obo_epoch: 3, act: { sub: 'p-1', act: prior } });
  const refusal = (one: SecurityChange, token = delegated) => having(one).state.refusal(token, 'key-1');
  const raised = (subject: string, minimum: number) => change({ kind: 'epoch', subject, minimum });

  it('refuses below the epoch of who is acted for, and of each agent between', () => {
    assert.deepEqual([refusal(raised('ada', 3)), refusal(raised('ada', 4))], [undefined, 'token_revoked']);
    assert.deepEqual([refusal(raised('agent-1', 4)), refusal(raised('agent-1', 5))], [undefined, 'token_revoked']);
    assert.equal(refusal({ ...raised('ada', 4), tenantId: 'other' }), undefined);
  });
  it('refuses where the epoch is not said', () =>
    assert.equal(refusal(raised('ada', 1), claims({ on_behalf_of: 'ada' })), 'token_revoked'));
  it('refuses by the grant of an agent between', () =>
    assert.equal(refusal(change({ kind: 'grant', subject: 'g-first' })), 'revoked'));
});

describe('what the security state remembers', () => {
  const bump = change({ kind: 'epoch', subject: 'p-1', minimum: 2 });
  it('goes when no token is left that it revokes, and its tenant with it', () => {
    const { clock, state } = having(bump, change({ kind: 'jti', subject: 'j-1', until: start + 5_000 }));
    clock.now += 61_000;
    state.apply({ kind: 'heartbeat', sequence: 1n });
    assert.equal(state.size(), 1);
    clock.now = start + retentionMilliseconds + 60_001;
    state.apply({ kind: 'heartbeat', sequence: 1n });
    assert.equal(state.size(), 0);
  });
  it('is not added to by what is over', () =>
    assert.equal(having(change({ kind: 'epoch', subject: 'p-1', minimum: 2, until: start - 1 })).state.size(), 0));
  it('keeps a revoked key for ever', () => {
    const { clock, state } = having(change({ kind: 'key', tenantId: '', subject: 'key-1', until: forever }));
    clock.now += 365 * 86_400_000;
    state.apply({ kind: 'heartbeat', sequence: 1n });
    assert.equal(state.refusal(claims(), 'key-1'), 'revoked');
  });
  it('can be read from a sequence on, the oldest first', () => {
    const { state } = having(
      change({ kind: 'grant', subject: 'g-3', sequence: 3n }),
      change({ kind: 'grant', subject: 'g-1', sequence: 1n }),
      change({ kind: 'session', subject: 's-2', sequence: 2n, tenantId: 'other' }),
    );
    assert.deepEqual(
      state.changesAfter(1n).map(({ subject }) => subject),
      ['s-2', 'g-3'],
    );
    assert.equal(state.changesAfter(null).length, 3);
  });
});

describe('how old the security state is', () => {
  it('is infinite until the initial state is complete, then counts from the last update', () => {
    const { clock, state } = having(change({ kind: 'epoch', subject: 'p-1', minimum: 2 }));
    assert.equal(state.stalenessMilliseconds(), Number.POSITIVE_INFINITY);
    assert.equal(state.sequence(), null);
    state.apply({ kind: 'heartbeat', sequence: 7n });
    clock.now += 7;
    assert.equal(state.stalenessMilliseconds(), 7);
    state.apply({ kind: 'heartbeat', sequence: 5n });
    assert.equal(state.sequence(), 7n);
  });
  it('is not made young by a clock that is set back', () => {
    const clock = { now: start, ticks: 0 };
    const state = createSecurityState(
      () => clock.now,
      () => clock.ticks,
    );
    state.apply({ kind: 'heartbeat', sequence: 1n });
    clock.ticks += 70_000;
    clock.now -= 3_600_000;
    assert.equal(state.stalenessMilliseconds(), 70_000);
  });
});
