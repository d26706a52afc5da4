import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type CountApproval,
  earlierWaitingStream,
  maxWaitingOfAgent,
  type WaitingApprovalEvent,
  waitingApprovalStream,
  waitingApprovals,
} from '../../../domain/identity/approval/waiting-approvals';
import type { ApprovalId } from '../../../domain/identity/ids';
import { given } from '../../kernel/domain/given-when-then';
import { noon, tenantId } from '../examples';
import { agentId, later } from './examples';
import { approver, openApprovals, wanted } from './fixture';

const approvalId = 'approval-1' as ApprovalId;
const expiresAt = later(900);
const count = (changes: Partial<CountApproval> = {}): CountApproval => ({
  type: 'CountApproval',
  ...{ approvalId, expiresAt, earlier: new Map(), at: noon },
  ...changes,
});
const counted = (id: string = approvalId): WaitingApprovalEvent => ({
  type: 'ApprovalCounted',
  data: { approvalId: id as ApprovalId, expiresAt },
});
const many = (number: number): readonly WaitingApprovalEvent[] =>
  Array.from({ length: number }, (_, at) => counted(`other-${at}`));
const uncounted: WaitingApprovalEvent = { type: 'ApprovalUncounted', data: { approvalId } };

describe('requests for approval that wait', () => {
  it('are counted once', () => given(waitingApprovals).when(count()).then(counted()));
  it('are the same when repeated', () =>
    given(waitingApprovals, ...many(maxWaitingOfAgent - 1), counted())
      .when(count())
      .thenNothing());
  it('are limited', () =>
    given(waitingApprovals, ...many(maxWaitingOfAgent))
      .when(count())
      .rejects('too-many-approvals'));
  it('are limited with those of the hour before', () =>
    given(waitingApprovals, ...many(maxWaitingOfAgent - 1))
      .when(count({ earlier: new Map([['other' as ApprovalId, expiresAt]]) }))
      .rejects('too-many-approvals'));
  it('are counted until they expire', () =>
    given(waitingApprovals, ...many(maxWaitingOfAgent))
      .when(count({ at: expiresAt }))
      .then(counted()));
  it('are counted no more once they are decided', () => {
    const uncount = { type: 'UncountApproval', approvalId } as const;
    given(waitingApprovals, counted()).when(uncount).then(uncounted);
    given(waitingApprovals, counted(), uncounted).when(uncount).thenNothing();
  });
  it('never exceed the limit, whatever comes in whatever order', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 60 }), isEnd: fc.boolean(), after: fc.nat({ max: 60 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let state = waitingApprovals.initial;
        let seconds = 0;
        for (const { id, isEnd, after } of steps) {
          seconds += after;
          const one = `a-${id}` as ApprovalId;
          const at = later(seconds);
          const decision = isEnd
            ? waitingApprovals.decide({ type: 'UncountApproval', approvalId: one }, state)
            : waitingApprovals.decide(count({ approvalId: one, expiresAt: later(seconds + 900), at }), state);
          const waiting = () => [...state.values()].filter((until) => until > at).length;
          const before = waiting();
          if (decision._tag === 'Left') assert.equal(before, maxWaitingOfAgent);
          else state = decision.right.reduce(waitingApprovals.evolve, state);
          assert.ok(waiting() <= maxWaitingOfAgent);
        }
      }),
    );
  });
  it('are in the streams of two hours', () =>
    assert.deepEqual(
      [waitingApprovalStream(tenantId, agentId, noon), earlierWaitingStream(tenantId, agentId, noon)],
      [12, 11].map((hour) => `identity.waitingApprovals-acme.${agentId}.20260131${hour}`),
    ));

  it('are refused over HTTP beyond their number, until a person decides or the agent withdraws one', async () => {
    const stage = await openApprovals();
    const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;
    const made: string[] = [];
    for (let index = 0; index < maxWaitingOfAgent; index += 1) made.push((await stage.requested()).approvalId);
    const isRefused = async (): Promise<void> => {
      const refused = await stage.request();
      assert.deepEqual([refused.status, await codeOf(refused)], [409, 'too-many-approvals']);
    };
    await isRefused();
    const [approved = '', denied = '', withdrawn = ''] = made;
    // A refused decision changes nothing.
    assert.equal((await stage.approve(approved, {}, 'ef'.repeat(32))).status, 409);
    await isRefused();
    for (const end of [
      () => stage.approve(approved),
      () => stage.send(`/${denied}/deny`, { reason: wanted.reason }, approver),
      () => stage.send(`/${withdrawn}/withdraw`, { reason: wanted.reason }, stage.agent),
    ]) {
      assert.equal((await end()).status, 200);
      // Twice is once.
      assert.equal((await end()).status, 200);
      assert.equal((await stage.request()).status, 201);
      await isRefused();
    }
    await stage.close();
  });
});
