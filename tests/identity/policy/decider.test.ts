/** Versions of an access policy: what is drafted, shadowed, enforced and turned off. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { type AccessPolicyCommand, accessPolicy } from '../../../domain/identity/policy/decider';
import { maxRules, PolicyDocument } from '../../../domain/identity/policy/document';
import { documentFaults } from '../../../domain/identity/policy/document-faults';
import type { AccessPolicyEvent } from '../../../domain/identity/policy/events';
import type { PolicyCaller } from '../../../domain/identity/policy/own-access';
import { decode } from '../../../domain/kernel/codec';
import { fold } from '../../../domain/kernel/decider';
import { given } from '../../kernel/domain/given-when-then';

const document = (rules: PolicyDocument['rules'] = [], covers: PolicyDocument['covers'] = []): PolicyDocument => ({
  covers,
  rules,
});
const denied = (ruleId = 'no-policies'): PolicyDocument =>
  document([{ ruleId, effect: 'DENY', resource: { paths: ['/v1/policy/**'] } }]);
const caller: PolicyCaller = {
  tenantId: 'acme',
  principalId: 'admin',
  principalType: 'HUMAN',
  audience: 'septet',
  at: Date.parse('2026-11-30T12:00:00.000Z'),
  address: '192.0.2.7',
  binding: 'none',
  authContext: ['role:admin'],
  authenticationMethods: ['pwd'],
  multiFactor: false,
};
const drafted = (version: number, content = document()): AccessPolicyEvent => ({
  type: 'AccessPolicyDrafted',
  data: { version, document: content, note: null },
});
const enforced = (version: number, previous: number | null = null, content = document()): AccessPolicyEvent => ({
  type: 'AccessPolicyEnforced',
  data: { version, document: content, previous },
});
const draft = (version: number, content = document()) =>
  ({ type: 'DraftAccessPolicy', version, document: content, note: null }) as const;
const enforce = (version: number, by: PolicyCaller | undefined = caller) =>
  ({ type: 'EnforceAccessPolicy', version, caller: by }) as const;

describe('versions of an access policy', () => {
  it('are numbered in order', () => {
    given(accessPolicy).when(draft(1)).then(drafted(1));
    given(accessPolicy, drafted(1)).when(draft(2, denied())).then(drafted(2, denied()));
    given(accessPolicy, drafted(1)).when(draft(3)).rejects('policy-version-not-next');
  });
  it('never change, and are the same when repeated', () => {
    given(accessPolicy, drafted(1)).when(draft(1)).thenNothing();
    given(accessPolicy, drafted(1)).when(draft(1, denied())).rejects('policy-version-exists');
  });
  it('have no faults', () =>
    given(accessPolicy)
      .when(draft(1, document([{ ruleId: 'a', effect: 'DENY', conditions: { networks: ['10.0.0.1/8'] } }])))
      .rejects('policy-invalid'));
  it('are enforced one at a time, and an earlier one again', () => {
    given(accessPolicy, drafted(1)).when(enforce(1)).then(enforced(1));
    given(accessPolicy, drafted(1), enforced(1)).when(enforce(1)).thenNothing();
    given(accessPolicy, drafted(1), drafted(2), enforced(2)).when(enforce(1)).then(enforced(1, 2));
    given(accessPolicy, drafted(1)).when(enforce(2)).rejects('policy-version-unknown');
  });
  it('are in shadow one at a time, until they are enforced', () => {
    const shadowed: AccessPolicyEvent = { type: 'AccessPolicyShadowed', data: { version: 1, document: document() } };
    const end = { type: 'EndAccessPolicyShadow' } as const;
    given(accessPolicy, drafted(1)).when({ type: 'ShadowAccessPolicy', version: 1 }).then(shadowed);
    given(accessPolicy, drafted(1), shadowed).when({ type: 'ShadowAccessPolicy', version: 1 }).thenNothing();
    given(accessPolicy, drafted(1), shadowed)
      .when(end)
      .then({ type: 'AccessPolicyShadowEnded', data: { version: 1 } });
    given(accessPolicy, drafted(1), shadowed, enforced(1)).when(end).thenNothing();
  });
  it('are turned off with a reason', () => {
    const off = { type: 'TurnOffAccessPolicy', reason: 'Locked out.' } as const;
    given(accessPolicy, drafted(1), enforced(1))
      .when(off)
      .then({ type: 'AccessPolicyTurnedOff', data: { version: 1, reason: 'Locked out.' } });
    given(accessPolicy, drafted(1)).when(off).thenNothing();
  });
});

describe('who enforces a version', () => {
  const locked: readonly (readonly [string, PolicyDocument])[] = [
    ['denies its routes', denied()],
    ['covers everything and allows nothing', document([], [{}])],
    [
      'requires approvals for them',
      document([{ ruleId: 'a', effect: 'STEP_UP_REQUIRED', action: { operations: ['turnOffAccessPolicy'] } }]),
    ],
    [
      'is for another network',
      document([{ ruleId: 'a', effect: 'DENY', conditions: { notNetworks: ['198.51.100.0/24'] } }]),
    ],
    ['is for another role', document([{ ruleId: 'a', effect: 'ALLOW', principal: { roles: ['auditor'] } }], [{}])],
    ['requires a second factor', document([{ ruleId: 'a', effect: 'ALLOW', requires: { multiFactor: true } }])],
  ];
  for (const [what, content] of locked)
    it(`is refused where it ${what} for the caller`, () =>
      given(accessPolicy, drafted(1, content)).when(enforce(1)).rejects('own-policy-access'));
  it('is not refused where the version spares the caller', () => {
    const spared = document([{ ruleId: 'a', effect: 'ALLOW', principal: { roles: ['admin'] } }], [{}]);
    given(accessPolicy, drafted(1, spared))
      .when(enforce(1))
      .then(enforced(1, null, spared));
  });
  it('may be at the machine', () => {
    const command = { type: 'EnforceAccessPolicy', version: 1, caller: undefined } as const;
    given(accessPolicy, drafted(1, denied()))
      .when(command)
      .then(enforced(1, null, denied()));
  });
});

describe('a document', () => {
  const faultsOf = (value: unknown): readonly string[] => {
    const decoded = decode(PolicyDocument, value);
    return (isLeft(decoded) ? decoded.left : documentFaults(decoded.right)).map(({ pointer }) => pointer);
  };
  const rule = (fields: object) => ({ covers: [], rules: [{ ruleId: 'a', effect: 'ALLOW', ...fields }] });
  for (const [what, value, pointer] of [
    ['an unknown effect', { covers: [], rules: [{ ruleId: 'a', effect: 'PERMIT' }] }, '/rules/0/effect'],
    [
      'two rules of one id',
      { covers: [], rules: [1, 2].map(() => ({ ruleId: 'a', effect: 'DENY' })) },
      '/rules/1/ruleId',
    ],
    [
      'a network with bits of the host',
      rule({ conditions: { networks: ['10.0.0.1/8'] } }),
      '/rules/0/conditions/networks/0',
    ],
    ['an offset for a zone', rule({ conditions: { times: [{ zone: '+01:00' }] } }), '/rules/0/conditions/times/0/zone'],
    ['an unknown zone', rule({ conditions: { times: [{ zone: 'Mars/Base' }] } }), '/rules/0/conditions/times/0/zone'],
    [
      'the hour 24',
      rule({ conditions: { times: [{ zone: 'UTC', until: '24:00' }] } }),
      '/rules/0/conditions/times/0/until',
    ],
    [
      'an empty window',
      rule({ conditions: { times: [{ zone: 'UTC', from: '08:00', until: '08:00' }] } }),
      '/rules/0/conditions/times/0/until',
    ],
    ['an encoded path', rule({ resource: { paths: ['/a%2fb'] } }), '/rules/0/resource/paths/0'],
    ['a path with dots', rule({ resource: { paths: ['/a/../b'] } }), '/rules/0/resource/paths/0'],
    ['a part of a segment', rule({ resource: { paths: ['/v1/doc*'] } }), '/rules/0/resource/paths/0'],
    ['an open end within', rule({ resource: { paths: ['/v1/**/b'] } }), '/rules/0/resource/paths/0'],
    [
      'a path of 33 segments',
      rule({ resource: { paths: [`/${Array(33).fill('a').join('/')}`] } }),
      '/rules/0/resource/paths/0',
    ],
    ['a label that nobody has', rule({ principal: { labels: ['finance'] } }), '/rules/0/principal/labels/0'],
    ['an empty list', rule({ action: { methods: [] } }), '/rules/0/action/methods'],
    [
      'requirements of a refusal',
      { covers: [], rules: [{ ruleId: 'a', effect: 'DENY', requires: { multiFactor: true } }] },
      '/rules/0/requires',
    ],
    [
      'too many rules',
      { covers: [], rules: Array.from({ length: maxRules + 1 }, (_, at) => ({ ruleId: `r-${at}`, effect: 'DENY' })) },
      '/rules',
    ],
    [
      'a megabyte',
      rule({
        resource: { paths: Array.from({ length: 50 }, () => `/${'a'.repeat(511)}`) },
        conditions: { clients: [] },
      }),
      '/rules/0/conditions/clients',
    ],
    [
      'more bytes than an event holds',
      {
        covers: [],
        rules: Array.from({ length: 2_000 }, (_, at) => ({
          ruleId: `r-${at}`,
          effect: 'DENY',
          description: 'x'.repeat(100),
        })),
      },
      '',
    ],
  ] as const)
    it(`with ${what} has a fault there`, () => assert.deepEqual(faultsOf(value), [pointer]));
  it('may have 32 segments in a path, and all that is documented', () => {
    assert.deepEqual(faultsOf(rule({ resource: { paths: [`/${Array(31).fill('a').join('/')}/**`, '/', '/**'] } })), []);
  });
});

describe('any history of a policy', () => {
  const documents = fc.constantFrom(document(), denied(), document([], [{}]));
  const versions = fc.integer({ min: 1, max: 4 });
  const commands: fc.Arbitrary<AccessPolicyCommand> = fc.oneof(
    fc.record({
      type: fc.constant('DraftAccessPolicy' as const),
      version: versions,
      document: documents,
      note: fc.constant(null),
    }),
    fc.record({ type: fc.constant('ShadowAccessPolicy' as const), version: versions }),
    fc.constant({ type: 'EndAccessPolicyShadow' as const }),
    fc.record({ type: fc.constant('EnforceAccessPolicy' as const), version: versions, caller: fc.constant(caller) }),
    fc.constant({ type: 'TurnOffAccessPolicy' as const, reason: 'x' }),
  );
  it('enforces only versions that were drafted and spare the caller, and repeats nothing', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 20 }), (several) => {
        let state = accessPolicy.initial;
        for (const command of several) {
          const decided = accessPolicy.decide(command, state);
          if (isLeft(decided)) continue;
          const next = fold(accessPolicy, state, decided.right);
          const again = accessPolicy.decide(command, next);
          assert.ok(!isLeft(again) && again.right.length === 0);
          // What was drafted stays.
          assert.deepEqual(next.documents.slice(0, state.documents.length), state.documents);
          if (next.enforced !== null) assert.deepEqual(next.documents[next.enforced - 1], document());
          assert.ok(next.shadow === null || next.documents[next.shadow - 1] !== undefined);
          state = next;
        }
      }),
    );
  });
});
