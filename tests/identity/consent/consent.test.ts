import assert from 'node:assert/strict';
import { consent, consentTo, covers } from '../../../domain/identity/consent/decider';
import type { ConsentEvent } from '../../../domain/identity/consent/events';
import { fold } from '../../../domain/kernel/decider';
import { given } from '../../kernel/domain/given-when-then';
import { evening, noon, principalId, scope } from '../examples';
import { applicationId as clientId, grantId } from '../oauth/authorization/examples';

const [reads, writes] = [scope('principals:read'), scope('principals:write')];
const client = { name: 'App', redirectUris: ['https://app.example/callback'], authentication: 'none' as const };
const grantConsent = {
  type: 'GrantConsent',
  principalId,
  clientId,
  scopes: [reads],
  audience: ['septet'],
  clientEpoch: 0,
  client,
  at: noon,
} as const;
const withdraw = { type: 'WithdrawConsent', principalId, clientId, at: noon } as const;
const consentGiven = {
  type: 'ConsentGiven',
  data: { principalId, clientId, scopes: [reads], audience: ['septet'], givenAt: noon, clientEpoch: 0, client },
} satisfies ConsentEvent;
const withdrew: ConsentEvent = { type: 'ConsentWithdrawn', data: { principalId, clientId, withdrawnAt: noon } };

const use = { ...grantConsent, type: 'UseConsent', grantId, expiresAt: evening } as const;
const used: ConsentEvent = {
  type: 'ConsentUsed',
  data: { principalId, clientId, grantId, usedAt: noon, expiresAt: evening },
};
const stateAfter = (...events: readonly ConsentEvent[]) => consentTo(fold(consent, consent.initial, events), clientId);

describe('consent', () => {
  it('is given', () => given(consent).when(grantConsent).then(consentGiven));
  it('is given once', () => given(consent, consentGiven).when(grantConsent).thenNothing());
  it('is asked for again when it is for more', () => {
    const more = { ...grantConsent, scopes: [reads, writes] };
    given(consent, consentGiven)
      .when(more)
      .then({ ...consentGiven, data: { ...consentGiven.data, scopes: [reads, writes] } } as ConsentEvent);
    assert.ok(!covers(stateAfter(consentGiven), more));
    assert.ok(!covers(stateAfter(consentGiven), { ...grantConsent, audience: ['https://files.example'] }));
  });
  it('is for one place what it is for that place', () => {
    const files = ['https://files.example'];
    const there: ConsentEvent = {
      type: 'ConsentGiven',
      data: { ...consentGiven.data, scopes: [writes], audience: files },
    };
    const both = stateAfter(consentGiven, there);
    assert.deepEqual(
      [both.scopes, both.audience],
      [
        [reads, writes],
        [...files, 'septet'],
      ],
    );
    for (const [scopes, audience, covered] of [
      [[reads], ['septet'], true],
      [[writes], files, true],
      [[reads], files, false],
      [[writes], ['septet'], false],
      [[reads], ['septet', ...files], false],
    ] as const)
      assert.equal(covers(both, { scopes, audience, clientEpoch: 0 }), covered, `${scopes} at ${audience}`);
  });
  it('is withdrawn whole', () => {
    given(consent, consentGiven).when(withdraw).then(withdrew);
    assert.ok(!covers(stateAfter(consentGiven, withdrew), grantConsent));
  });
  it('is withdrawn once', () => given(consent, consentGiven, withdrew).when(withdraw).thenNothing());
  it('is not withdrawn where it was not given', () => given(consent).when(withdraw).thenNothing());
  it('is of one application', () => {
    const other = { ...grantConsent, clientId: 'acme~app-2' as typeof clientId };
    const data = { ...consentGiven.data, clientId: other.clientId } as Extract<
      ConsentEvent,
      { type: 'ConsentGiven' }
    >['data'];
    given(consent, consentGiven).when(other).then({ type: 'ConsentGiven', data });
  });
  it('given before the client changed counts no more, and can be given again', () => {
    const changed = { clientEpoch: 1 };
    assert.ok(!covers(stateAfter(consentGiven), { ...grantConsent, ...changed }));
    given(consent, consentGiven)
      .when({ ...use, ...changed })
      .rejects('consent-not-given');
    const again = { ...consentGiven, data: { ...consentGiven.data, givenAt: evening, clientEpoch: 1 } } as ConsentEvent;
    given(consent, consentGiven)
      .when({ ...grantConsent, ...changed, at: evening })
      .then(again);
    given(consent, consentGiven, again)
      .when({ ...use, ...changed })
      .then(used);
  });
  it('knows what came of it', () => given(consent, consentGiven).when(use).then(used));
  it('lets nothing come of it that is not, or no longer, allowed', () => {
    given(consent).when(use).rejects('consent-not-given');
    given(consent, consentGiven, withdrew).when(use).rejects('consent-not-given');
    given(consent, consentGiven)
      .when({ ...use, scopes: [reads, writes] })
      .rejects('consent-not-given');
  });
  it('knows after it was withdrawn what has yet to be ended', () =>
    assert.deepEqual(stateAfter(consentGiven, used, withdrew).uses, [{ grantId, expiresAt: evening }]));
  it('knows each grant once', () => given(consent, consentGiven, used).when(use).thenNothing());
  it('forgets grants that are over', () => {
    const later = {
      ...used,
      data: { ...used.data, usedAt: evening, grantId: 'g-2' as typeof grantId },
    } as ConsentEvent;
    assert.deepEqual(
      stateAfter(consentGiven, used, later).uses.map((one) => one.grantId),
      ['g-2'],
    );
  });
});
