import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { TrustRuleId, WorkloadIssuerId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import { maxIssuers, maxRules, workloadTrust } from '../../../domain/identity/workload-trust/decider';
import { given } from '../../kernel/domain/given-when-then';
import { byAdmin, principalId, registered, scope, suspended } from '../examples';
import {
  below,
  changeRule,
  exactly,
  github,
  issuerId,
  made,
  makeRule,
  rule,
  ruleId,
  trusted,
  trustIssuer,
} from './examples';

const endIssuer = { type: 'EndIssuer', issuerId, reason: 'Moved away.' } as const;
const endRule = { type: 'EndRule', ruleId, reason: 'No longer deployed.' } as const;

describe('trust in issuers of workloads’ credentials', () => {
  it('is recorded once', () => given(workloadTrust).when(trustIssuer()).then(trusted()));
  it('is the same when repeated', () => given(workloadTrust, trusted()).when(trustIssuer()).thenNothing());
  it('is not recorded with other fields under the same id', () =>
    given(workloadTrust, trusted())
      .when(trustIssuer({ name: 'GitHub' }))
      .rejects('workload-issuer-differs'));
  it('is not recorded twice for one issuer', () =>
    given(workloadTrust, trusted())
      .when(trustIssuer({}, 'issuer-2' as WorkloadIssuerId))
      .rejects('workload-issuer-exists'));
  it('has an end in number', () =>
    given(
      workloadTrust,
      ...Array.from({ length: maxIssuers }, (_, at) =>
        trusted({ issuer: `https://${at}.example` }, `i-${at}` as WorkloadIssuerId),
      ),
    )
      .when(trustIssuer())
      .rejects('too-many-workload-issuers'));

  for (const [what, changes] of [
    ['without TLS', { issuer: 'http://issuer.example' }],
    ['with a query', { issuer: 'https://issuer.example?a=b' }],
    ['with credentials', { issuer: 'https://me@issuer.example' }],
    ['of a file', { issuer: 'file:///etc/passwd' }],
    ['that is no URL', { issuer: 'issuer.example' }],
    ['whose keys are without TLS', { keysUri: 'http://issuer.example/keys' }],
    [
      'that is a trust domain with a path',
      { kind: 'spiffe', issuer: 'example.org/path', keysUri: 'https://a.example' },
    ],
    ['that is a trust domain without keys', { kind: 'spiffe', issuer: 'example.org' }],
    [
      'that reads an attribute twice',
      { claims: [{ attribute: 'runner', claim: '/a' } as const, { attribute: 'runner', claim: '/b' } as const] },
    ],
  ] as const)
    it(`refuses an issuer ${what}`, () =>
      given(workloadTrust).when(trustIssuer(changes)).rejects('workload-issuer-invalid'));

  const changeIssuer = (changes: Partial<typeof github>, held: readonly string[] = byAdmin.held) => ({
    type: 'ChangeIssuer' as const,
    issuerId,
    issuer: { ...github, ...changes },
    allowsPlainHttp: false,
    held,
  });
  const renamed = { type: 'WorkloadIssuerChanged' as const, data: { issuerId, ...github, name: 'GitHub' } };
  it('changes names, keys and claims', () =>
    given(workloadTrust, trusted())
      .when(changeIssuer({ name: 'GitHub' }))
      .then(renamed));
  it('is the same after the same change', () => given(workloadTrust, trusted()).when(changeIssuer({})).thenNothing());
  it('keeps kind and issuer', () =>
    given(workloadTrust, trusted())
      .when(changeIssuer({ kind: 'oidc' }))
      .rejects('workload-issuer-differs'));
  it('is changed only by callers that hold all that its rules give', () =>
    given(workloadTrust, trusted(), made())
      .when(changeIssuer({ keysUri: 'https://keys.example' }, ['security:write']))
      .rejects('scope-not-held'));
  it('is not changed where there is none', () =>
    given(workloadTrust).when(changeIssuer({})).rejects('workload-issuer-unknown'));

  it('ends with its rules', () => {
    given(workloadTrust, trusted(), made())
      .when(endIssuer)
      .then({ type: 'WorkloadIssuerEnded', data: { issuerId, reason: 'Moved away.' } });
    given(workloadTrust, trusted(), made(), { type: 'WorkloadIssuerEnded', data: { issuerId, reason: 'Moved.' } })
      .when(endRule)
      .thenNothing();
  });
  it('does not end where there is none', () => given(workloadTrust).when(endIssuer).rejects('workload-issuer-unknown'));
});

describe('trust rules', () => {
  it('are made', () => given(workloadTrust, trusted()).when(makeRule()).then(made()));
  it('are the same when repeated', () => given(workloadTrust, trusted(), made()).when(makeRule()).thenNothing());
  it('are not made with other fields under the same id', () =>
    given(workloadTrust, trusted(), made())
      .when(makeRule({ name: 'Another' }))
      .rejects('trust-rule-differs'));
  it('need an issuer', () => given(workloadTrust).when(makeRule()).rejects('workload-issuer-unknown'));
  it('give only what the caller holds', () =>
    given(workloadTrust, trusted())
      .when(makeRule({}, { held: ['credentials:write'] }))
      .rejects('scope-not-held'));
  it('are for audiences that tokens are issued for', () =>
    given(workloadTrust, trusted())
      .when(makeRule({ audience: 'elsewhere' }))
      .rejects('trust-rule-invalid'));
  it('name whose workloads they answer', () =>
    given(workloadTrust, trusted())
      .when(makeRule({ conditions: [exactly('branch', 'main'), exactly('event', 'push')] }))
      .rejects('trust-rule-too-wide'));
  it('name an attribute once', () =>
    given(workloadTrust, trusted())
      .when(makeRule({ conditions: [exactly('repository', 'a/b'), below('repository', 'a')] }))
      .rejects('trust-rule-invalid'));
  for (const path of ['octo/', '/octo', 'octo//repo', 'octo/..', '.'])
    it(`do not take ${path} as a path`, () =>
      given(workloadTrust, trusted())
        .when(makeRule({ conditions: [below('repository', path)] }))
        .rejects('trust-rule-invalid'));
  it('have an end in number', () =>
    given(workloadTrust, trusted(), ...Array.from({ length: maxRules }, (_, at) => made({}, `r-${at}` as TrustRuleId)))
      .when(makeRule())
      .rejects('too-many-trust-rules'));

  it('are changed by callers that hold what they give, before and after', () => {
    const wide = { scopes: [scope('principals:read'), scope('principals:write')] };
    given(workloadTrust, trusted(), made())
      .when(changeRule({ name: 'Releases' }))
      .then({ type: 'TrustRuleChanged', data: { ruleId, ...rule, name: 'Releases' } });
    given(workloadTrust, trusted(), made()).when(changeRule()).thenNothing();
    given(workloadTrust, trusted(), made(wide))
      .when(changeRule({}, { held: ['principals:read'] }))
      .rejects('scope-not-held');
    given(workloadTrust, trusted(), made())
      .when(changeRule(wide, { held: ['principals:read'] }))
      .rejects('scope-not-held');
    given(workloadTrust, trusted()).when(changeRule()).rejects('trust-rule-unknown');
  });
  it('are loosened by scopes, and by conditions that are gone or differ', () => {
    const principalId = rule.principalId;
    const loosenedBy = (respect: 'conditions' | 'scopes') => ({
      type: 'TrustRuleLoosened' as const,
      data: { ruleId, principalId, respects: [respect] },
    });
    const more = { conditions: [...rule.conditions, exactly('runner', 'self-hosted')] };
    given(workloadTrust, trusted(), made())
      .when(changeRule(more))
      .then({ type: 'TrustRuleChanged', data: { ruleId, ...rule, ...more } });
    given(workloadTrust, trusted(), made(more))
      .when(changeRule())
      .then(loosenedBy('conditions'), { type: 'TrustRuleChanged', data: { ruleId, ...rule } });
    const scopes = [...rule.scopes, scope('principals:write')];
    given(workloadTrust, trusted(), made())
      .when(changeRule({ scopes }))
      .then(loosenedBy('scopes'), { type: 'TrustRuleChanged', data: { ruleId, ...rule, scopes: [...scopes].sort() } });
  });
  it('end', () => {
    given(workloadTrust, trusted(), made())
      .when(endRule)
      .then({ type: 'TrustRuleEnded', data: { ruleId, reason: 'No longer deployed.' } });
    given(workloadTrust, trusted()).when(endRule).rejects('trust-rule-unknown');
  });
});

describe('principals of trust rules', () => {
  const authorize = {
    type: 'AuthorizeTrustRule' as const,
    principalId,
    ruleId,
    scopes: [scope('principals:read')],
    by: 'admin',
    held: byAdmin.held,
  };
  const authorized: PrincipalEvent = {
    type: 'TrustRuleAuthorized',
    data: { principalId, ruleId, scopes: [scope('principals:read')] },
  };
  it('know them', () => given(principal, registered).when(authorize).then(authorized));
  it('know them once', () => given(principal, registered, authorized).when(authorize).thenNothing());
  it('are no people', () =>
    given(principal, { ...registered, data: { ...registered.data, principalType: 'HUMAN' } } as PrincipalEvent)
      .when(authorize)
      .rejects('trust-rule-of-a-person'));
  it('are active', () => given(principal, registered, suspended).when(authorize).rejects('principal-suspended'));
  it('are within the caller’s authority', () =>
    given(principal, registered)
      .when({ ...authorize, held: ['security:read'] })
      .rejects('scope-not-held'));
  it('have the authority of their rules', () => {
    const issue = { type: 'IssueCredential' as const, principalId };
    const state = [registered, authorized].reduce(principal.evolve, principal.initial);
    assert.ok(state.kind === 'registered' && state.trustRules.get(ruleId)?.length === 1, issue.type);
    const refused = principal.decide({ ...authorize, ruleId: 'rule-2' as TrustRuleId, scopes: [], held: [] }, state);
    assert.ok(isLeft(refused) && refused.left.code === 'scope-not-held');
  });
  it('lose what is withdrawn from them', () => {
    const withdrawn: PrincipalEvent = {
      type: 'ScopesWithdrawn',
      data: { principalId, scopes: [scope('principals:read')], reason: 'Too much.' },
    };
    const state = [registered, authorized, withdrawn].reduce(principal.evolve, principal.initial);
    assert.deepEqual(state.kind === 'registered' ? state.trustRules.get(ruleId) : undefined, []);
  });
});
