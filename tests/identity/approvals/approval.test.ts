import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type ApprovalCommand,
  approval,
  capabilitySeconds,
  freshSeconds,
  requestSeconds,
  usableSeconds,
} from '../../../domain/identity/approval/decider';
import { approvals } from '../../../domain/identity/approval/events';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { given } from '../../kernel/domain/given-when-then';
import { eventsOf, historiesOf, twiceIsOnce } from '../../support/domain/arbitrary';
import { noon, scope } from '../examples';
import {
  action,
  actionHash,
  ada,
  agentId,
  answered,
  approve,
  approved,
  capabilityHash,
  consume,
  consumed,
  denied,
  grace,
  issue,
  issued,
  later,
  request,
  requested,
  thumbprint,
  withdrawn,
  writes,
} from './examples';

const deny = { type: 'DenyStepUp', approver: { principalId: grace, isPerson: true }, reason: 'No.', at: later(10) };
const denyStepUp = deny as Extract<ApprovalCommand, { type: 'DenyStepUp' }>;
const withdraw = { type: 'WithdrawStepUp', by: agentId, reason: 'Done otherwise.', at: later(10) } as const;
const answer = { type: 'RecordAnswer', requestId: 'r-1', status: 200, at: later(31) } as const;

describe('asking for an approval', () => {
  it('records it', () => given(approval).when(request()).then(requested));
  it('does nothing the second time', () => given(approval, requested).when(request()).thenNothing());
  it('refuses another action under the same id', () =>
    given(approval, requested)
      .when(request({ action: { ...action, actionHash: 'ef'.repeat(32) } }))
      .rejects('approval-differs'));
  it('is for agents, with the scopes of the action', () => {
    given(approval)
      .when(request({ isAgent: false }))
      .rejects('agents-only');
    given(approval)
      .when(request({ held: [] }))
      .rejects('scope-not-held');
  });
  it('waits a quarter of an hour, and no longer than the delegation', () => {
    const expiryAt = (endsAt: ReturnType<typeof later> | null) => {
      const decision = approval.decide(request({ endsAt }), approval.initial);
      assert.ok(decision._tag === 'Right' && decision.right[0]?.type === 'StepUpRequested');
      return decision.right[0].data.expiresAt;
    };
    assert.equal(expiryAt(later(60)), later(60));
    assert.equal(expiryAt(later(7_200)), later(requestSeconds));
    given(approval)
      .when(request({ endsAt: noon }))
      .rejects('approval-expired');
  });
});

describe('approving', () => {
  it('records who, how and when', () => given(approval, requested).when(approve()).then(approved));
  it('does nothing the second time', () => given(approval, requested, approved).when(approve()).thenNothing());
  it('is not for the agent, those before it, and those for whom it acts', () => {
    const passedOn = { ...requested, data: { ...requested.data, priorActors: ['agent-0' as PrincipalId] } };
    for (const principalId of [agentId, ada, 'agent-0' as PrincipalId])
      given(approval, passedOn as typeof requested)
        .when(approve({ principalId }))
        .rejects('approver-involved');
  });
  it('is for people in their own name, with every scope of the action', () => {
    given(approval, requested)
      .when(approve({ isPerson: false }))
      .rejects('approver-not-a-person');
    given(approval, requested)
      .when(approve({ held: ['approvals:decide', 'principals:read'] }))
      .rejects('scope-not-held');
  });
  it('needs a sign-in of the last five minutes', () => {
    given(approval, requested)
      .when(approve({}, later(freshSeconds)))
      .then({
        ...approved,
        data: { ...approved.data, approvedAt: later(freshSeconds), usableUntil: later(freshSeconds + usableSeconds) },
      } as typeof approved);
    for (const authenticatedAt of [later(-freshSeconds), null])
      given(approval, requested).when(approve({ authenticatedAt })).rejects('insufficient-user-authentication');
  });
  it('is of the action that the person was shown', () =>
    given(approval, requested)
      .when({ ...approve(), actionHash: 'ef'.repeat(32) })
      .rejects('action-differs'));
  it('refuses what is decided, expired or not there', () => {
    for (const end of [denied, withdrawn]) given(approval, requested, end).when(approve()).rejects('approval-decided');
    given(approval, requested)
      .when(approve({ authenticatedAt: later(900) }, later(900)))
      .rejects('approval-expired');
    given(approval).when(approve()).rejects('approval-unknown');
  });
});

describe('denying and withdrawing', () => {
  it('records it, also after the approval', () => {
    given(approval, requested).when(denyStepUp).then(denied);
    given(approval, requested, approved, issued).when(denyStepUp).then(denied);
    given(approval, requested).when(withdraw).then(withdrawn);
    given(approval, requested, approved).when(withdraw).then(withdrawn);
  });
  it('does nothing the second time', () => {
    given(approval, requested, denied).when(denyStepUp).thenNothing();
    given(approval, requested, withdrawn).when(withdraw).thenNothing();
  });
  it('refuses what is done, and agents of others', () => {
    const done = [requested, approved, issued, consumed] as const;
    for (const command of [denyStepUp, withdraw])
      given(approval, ...done)
        .when(command)
        .rejects('approval-decided');
    given(approval, requested)
      .when({ ...withdraw, by: 'agent-2' })
      .rejects('approval-unknown');
    given(approval, requested)
      .when({ ...denyStepUp, approver: { principalId: agentId, isPerson: false } })
      .rejects('approver-not-a-person');
    for (const command of [denyStepUp, withdraw]) given(approval).when(command).rejects('approval-unknown');
  });
});

describe('a capability', () => {
  it('is issued to the agent alone, after the approval', () => {
    given(approval, requested, approved).when(issue()).then(issued);
    given(approval, requested, approved, issued).when(issue()).thenNothing();
    given(approval, requested, approved)
      .when(issue({ by: 'agent-2' }))
      .rejects('approval-unknown');
    given(approval, requested).when(issue()).rejects('approval-pending');
    given(approval, requested)
      .when(issue({ at: later(900) }))
      .rejects('approval-expired');
    given(approval, requested, approved)
      .when(issue({ at: later(310) }))
      .rejects('approval-expired');
    given(approval, requested, denied).when(issue()).rejects('approval-decided');
  });
  it('is used up once', () => {
    given(approval, requested, approved, issued).when(consume()).then(consumed);
    given(approval, requested, approved, issued, consumed)
      .when(consume({ requestId: 'r-2' }))
      .rejects('capability-spent');
  });
  it('is of one action, agent, key, client and secret, of two minutes, and of authority that is in force', () => {
    const other = { actionHash: 'ef'.repeat(32), by: 'agent-2', thumbprint: null, clientId: null };
    const changes = Object.entries({ ...other, capabilityHash: 'ef'.repeat(32), isInForce: false, at: later(140) });
    for (const [field, value] of changes)
      given(approval, requested, approved, issued)
        .when(consume({ [field]: value }))
        .rejects('capability-invalid');
    for (const end of [denied, withdrawn])
      given(approval, requested, approved, issued, end).when(consume()).rejects('capability-invalid');
    given(approval, requested, approved).when(consume()).rejects('capability-invalid');
  });
  it('replaces those before it', () => {
    const second = { ...issued, data: { ...issued.data, capabilityHash: 'ef'.repeat(32) } } as typeof issued;
    given(approval, requested, approved, issued, second).when(consume()).rejects('capability-invalid');
  });
  it('has its answer recorded once', () => {
    given(approval, requested, approved, issued, consumed).when(answer).then(answered);
    given(approval, requested, approved, issued, consumed, answered).when(answer).thenNothing();
    given(approval, requested, approved, issued).when(answer).rejects('approval-unknown');
  });
});

const at = fc.integer({ min: -400, max: 1_300 }).map(later);
const commands: fc.Arbitrary<ApprovalCommand> = fc.oneof(
  // As it should go: without these few traces come to the use of a capability.
  { weight: 12, arbitrary: fc.constantFrom<ApprovalCommand>(request(), approve(), issue(), consume()) },
  fc.record({ at, isAgent: fc.boolean(), endsAt: fc.option(at) }).map((changes) => request(changes)),
  fc
    .record({
      principalId: fc.constantFrom(agentId, ada, grace),
      held: fc.subarray<string>([writes, 'keys:write']),
      authenticatedAt: fc.option(at),
      isPerson: fc.boolean(),
      at,
    })
    .map(({ at: moment, ...changes }) => approve(changes, moment)),
  at.map((moment) => ({ ...denyStepUp, at: moment })),
  at.map((moment) => ({ ...withdraw, at: moment })),
  fc.record({ by: fc.constantFrom<string>(agentId, 'agent-2'), at }).map((changes) => issue(changes)),
  fc
    .record({
      by: fc.constantFrom<string>(agentId, 'agent-2'),
      actionHash: fc.constantFrom(actionHash, 'ef'.repeat(32)),
      capabilityHash: fc.constantFrom(capabilityHash, 'ef'.repeat(32)),
      thumbprint: fc.constantFrom(thumbprint, null),
      isInForce: fc.boolean(),
      at,
    })
    .map((changes) => consume(changes)),
  at.map((moment) => ({ ...answer, at: moment })),
);

/** A long run: `APPROVAL_TRACES=100000`. */
const numRuns = Number(process.env.APPROVAL_TRACES ?? 200);

describe('approvals, whatever happens', function () {
  this.timeout(600_000);

  it('do nothing the second time, but for the use of a capability', () =>
    twiceIsOnce(
      approval,
      commands.filter(({ type }) => type !== 'ConsumeCapability'),
    ));
  it('accept every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(approvals)), (events) => {
        assert.ok(['none', 'approval'].includes(fold(approval, approval.initial, events).kind));
      }),
    ));
  it('let an action be done once, by its agent, after a person who may do it approved exactly it a moment ago', () =>
    fc.assert(
      fc.property(historiesOf(approval, commands), (history) => {
        const uses = history.filter(({ type }) => type === 'CapabilityConsumed');
        assert.ok(uses.length <= 1);
        const [use] = uses;
        const decision = history.find(({ type }) => type === 'StepUpApproved');
        const capability = history.filter(({ type }) => type === 'CapabilityIssued').at(-1);
        if (decision?.type === 'StepUpApproved') {
          const { approverId, authTime, approvedAt } = decision.data;
          assert.equal(approverId, grace);
          assert.ok(Date.parse(approvedAt) - Date.parse(authTime) <= freshSeconds * 1_000);
        }
        if (use?.type !== 'CapabilityConsumed') return;
        assert.ok(decision?.type === 'StepUpApproved' && capability?.type === 'CapabilityIssued');
        const { issuedAt, expiresAt } = capability.data;
        assert.ok(use.data.consumedAt < expiresAt);
        assert.ok(Date.parse(expiresAt) - Date.parse(issuedAt) <= capabilitySeconds * 1_000);
        assert.ok(!history.some(({ type }) => type === 'StepUpDenied' || type === 'StepUpWithdrawn'));
      }),
      { numRuns },
    ));
  it('never widen what the agent may do', () =>
    given(approval)
      .when(request({ action: { ...action, scopes: [scope('keys:write')] } }))
      .rejects('scope-not-held'));
});
