import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type CreateDelegation,
  type DelegationCommand,
  delegation,
  maxDelegatedScopes,
  maxDelegationSeconds,
} from '../../../domain/identity/delegation/decider';
import { delegations, maxDelegationDepth } from '../../../domain/identity/delegation/events';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { given } from '../../kernel/domain/given-when-then';
import { eventsOf, historiesOf, twiceIsOnce } from '../../support/domain/arbitrary';
import { noon, scope } from '../examples';
import {
  agentId,
  create,
  created,
  delegationId,
  delegator,
  reads,
  registeredPrincipal,
  revoked,
  writes,
} from './examples';

const revoke = { type: 'RevokeDelegation', reason: 'Done.', ownedBy: null } as const;
const parent = { delegationId, audience: 'septet', depth: 1 };

describe('letting an agent act', () => {
  it('records it', () => given(delegation).when(create()).then(created()));
  it('does nothing the second time', () => given(delegation, created()).when(create()).thenNothing());
  it('refuses another delegation under the same id', () =>
    given(delegation, created())
      .when(create({ agentId: 'agent-2' as PrincipalId }))
      .rejects('delegation-differs'));
  it('refuses scopes that the caller lacks', () =>
    given(delegation)
      .when(create({ scopes: [reads, scope('keys:write')] }))
      .rejects('scope-not-held'));
  it('refuses no scopes, too many, and those of OpenID Connect', () => {
    const many = Array.from({ length: maxDelegatedScopes + 1 }, () => reads);
    for (const scopes of [[], many, [scope('openid')], [reads, scope('offline_access')]])
      given(delegation)
        .when(create({ scopes, delegator: { ...delegator, held: [reads, 'openid', 'offline_access'] } }))
        .rejects('delegation-scopes-invalid');
  });
  it('refuses an audience that the caller gets no tokens for', () =>
    given(delegation)
      .when(create({ audience: 'billing' }))
      .rejects('audience-not-held'));
  it('is for agents only, and not for the caller', () => {
    for (const agent of [{ kind: 'none' } as const, registeredPrincipal({ principalType: 'PIPELINE' })])
      given(delegation).when(create({ agent })).rejects('agent-unknown');
    given(delegation)
      .when(create({ delegator: { ...delegator, delegatorId: agentId } }))
      .rejects('agent-unknown');
  });
  it('refuses an agent that is suspended, and lets a compromised one recover with it', () => {
    const whenAgentIs = (status: 'SUSPENDED' | 'COMPROMISED') =>
      given(delegation).when(create({ agent: registeredPrincipal({ status }) }));
    whenAgentIs('SUSPENDED').rejects('agent-not-active');
    whenAgentIs('COMPROMISED').then(created());
  });

  it('ends eight hours later at most, and with the sign-in', () => {
    const expiring = (changes: Partial<CreateDelegation>, seconds: number) =>
      given(delegation)
        .when(create(changes))
        .then(created({ expiresAt: plusSeconds(noon, seconds) }));
    expiring({ expiresInSeconds: 10 * maxDelegationSeconds }, maxDelegationSeconds);
    const ending = { ...delegator, endsAt: plusSeconds(noon, 60) };
    expiring({ delegator: ending }, 60);
    given(delegation)
      .when(create({ delegator: ending, at: plusSeconds(noon, 60) }))
      .rejects('delegator-signed-out');
  });

  it('passes a task on to three agents, for the same audience', () => {
    const acting = { ...delegator, delegatorType: 'AI_AGENT' as const, parent };
    given(delegation)
      .when(create({ delegator: acting }))
      .then(created({ delegatorType: 'AI_AGENT', parentId: delegationId, depth: 2 }));
    given(delegation)
      .when(create({ delegator: acting, audience: 'orders' }))
      .rejects('audience-not-held');
    given(delegation)
      .when(create({ delegator: { ...acting, parent: { ...parent, depth: maxDelegationDepth } } }))
      .rejects('delegation-too-deep');
  });
});

describe('revoking a delegation', () => {
  it('records it', () => given(delegation, created()).when(revoke).then(revoked));
  it('does nothing the second time', () => given(delegation, created(), revoked).when(revoke).thenNothing());
  it('refuses what is not there, and what another made', () => {
    given(delegation).when(revoke).rejects('delegation-unknown');
    given(delegation, created())
      .when({ ...revoke, ownedBy: 'grace' })
      .rejects('delegation-unknown');
  });
});

const commands: fc.Arbitrary<DelegationCommand> = fc.oneof(
  fc
    .record({
      scopes: fc.subarray([reads, writes, scope('keys:write')]),
      held: fc.subarray<string>([reads, writes, 'keys:write']),
      audience: fc.constantFrom('septet', 'orders', 'billing'),
      expiresInSeconds: fc.integer({ min: 1, max: 100_000 }),
      endsAfter: fc.option(fc.integer({ min: -10, max: 100_000 })),
      depth: fc.option(fc.integer({ min: 1, max: maxDelegationDepth })),
    })
    .map(({ scopes, held, audience, expiresInSeconds, endsAfter, depth }) => {
      const endsAt = endsAfter === null ? null : plusSeconds(noon, endsAfter);
      const by = { ...delegator, held, endsAt, parent: depth === null ? null : { ...parent, depth } };
      return create({ scopes, audience, expiresInSeconds, delegator: by });
    }),
  fc.record({
    type: fc.constant('RevokeDelegation' as const),
    reason: fc.constant('Done.'),
    ownedBy: fc.constantFrom(null, 'ada', 'grace'),
  }),
);

describe('delegations, whatever happens', () => {
  it('do nothing the second time', () => twiceIsOnce(delegation, commands));
  it('accept every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(delegations)), (events) => {
        assert.ok(['none', 'delegation'].includes(fold(delegation, delegation.initial, events).kind));
      }),
    ));
  it('never give what the delegator lacks, for longer than its sign-in, or deeper than three', () =>
    fc.assert(
      fc.property(commands, (command) => {
        const decision = delegation.decide(command, delegation.initial);
        if (command.type === 'RevokeDelegation' || decision._tag === 'Left') return;
        for (const { type, data } of decision.right) {
          assert.ok(type === 'DelegationCreated');
          assert.ok(data.scopes.every((one) => command.delegator.held.includes(one)));
          assert.ok(command.delegator.audiences.includes(data.audience));
          assert.ok(data.expiresAt <= plusSeconds(noon, maxDelegationSeconds));
          assert.ok(command.delegator.endsAt === null || data.expiresAt <= command.delegator.endsAt);
          assert.ok(data.depth <= maxDelegationDepth);
        }
      }),
    ));
  it('stay revoked', () =>
    fc.assert(
      fc.property(historiesOf(delegation, commands), (history) => {
        const state = fold(delegation, delegation.initial, history);
        const isRevoked = history.some(({ type }) => type === 'DelegationRevoked');
        assert.equal(state.kind === 'delegation' && state.status === 'REVOKED', isRevoked);
      }),
    ));
});
