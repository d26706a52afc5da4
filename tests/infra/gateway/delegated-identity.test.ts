/** The delegator of an agent, from the claims of its token to the services behind the gateway. */
import assert from 'node:assert/strict';
import { delegatedAccessOf } from '../../../infra/gateway/authentication/authenticate';
import { revocableOf } from '../../../infra/server/http/identity/revocable-claims';
import type { Identity } from '../../../infra/server/http/routing/route';
import { type AccessTokenClaims, parseClaims } from '../../../packages/resource-server/src/access-token/claims';
import { createTestRevocationWatch, epochBump, revocation } from '../../support/gateway/revocations';

const act = {
  sub: 'agent-3',
  act: { sub: 'agent-2', security_epoch: 2, gid: 'g-2', act: { sub: 'agent-1', security_epoch: 1, gid: 'g-1' } },
};
const token = {
  ...{
    iss: 'https://septet.example',
    sub: 'agent-3',
    aud: ['septet'],
    exp: 600,
    iat: 0,
    jti: 'j-1',
    tenant_id: 'acme',
  },
  ...{ principal_type: 'AI_AGENT', scopes: ['principals:read'], security_epoch: 1, gid: 'g-3' },
  ...{ actor_id: 'agent-3', on_behalf_of: 'ada', obo_epoch: 5, delegation_id: 'd-3', task_id: 'ticket-1', act },
};
const claims = token as AccessTokenClaims;
const identity: Identity = {
  ...{ tenantId: 'acme', principalId: 'agent-3', principalType: 'AI_AGENT', scopes: [], tokenId: 'j-1' },
  ...{ securityEpoch: 1, issuedAt: Date.now(), grantId: 'g-3' },
  ...delegatedAccessOf(claims),
};

describe('a delegated identity', () => {
  it('has all actors, and the claims that a revocation can name', () => {
    const { on_behalf_of, obo_epoch, act: actors } = revocableOf(identity);
    assert.deepEqual([on_behalf_of, obo_epoch, actors], ['ada', 5, act]);
  });

  it('loses its streams with the delegator and with each agent between', () => {
    const ends = [
      epochBump('ada', 6),
      epochBump('agent-1', 2),
      epochBump('agent-2', 3),
      revocation({ kind: 'grant', subject: 'g-1' }),
      revocation({ kind: 'grant', subject: 'g-2' }),
    ];
    for (const change of ends) {
      const rights = createTestRevocationWatch();
      let ended = 0;
      rights.watch(identity, () => {
        ended += 1;
      });
      rights.apply(epochBump('grace', 9));
      assert.equal(ended, 0);
      rights.apply(change);
      assert.equal(ended, 1, change.subject);
    }
  });
});

describe('the claims of actors', () => {
  const isAccepted = (more: object): boolean => parseClaims({ ...token, ...more }) !== undefined;

  it('are accepted up to three deep, and unknown ones are ignored', () => {
    assert.ok(isAccepted({}));
    assert.ok(isAccepted({ act: { sub: 'agent-3', iss: 'https://elsewhere.example' } }));
    const deeper = { ...act, act: { ...act.act, act: { ...act.act.act, act: act.act.act } } };
    assert.ok(!isAccepted({ act: deeper }));
  });

  it('make a token unusable where they cannot be checked', () => {
    for (const one of [
      'agent-3',
      {},
      { sub: '' },
      { sub: 'agent-3', act: { sub: 'agent-2' } },
      { sub: 'agent-3', act: { sub: 'agent-2', security_epoch: -1, gid: 'g-2' } },
      { sub: 'agent-3', act: { sub: 'agent-2', security_epoch: 1 } },
    ])
      assert.ok(!isAccepted({ act: one }), JSON.stringify(one));
    assert.ok(!isAccepted({ obo_epoch: '5' }));
  });
});
