import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JobId, RunId } from '../../domain/workflow/ids';
import {
  enterGroup,
  type GroupMember,
  leaveGroup,
  type PlacedMember,
} from '../../domain/workflow/run/concurrency-group';

const member = (runId: string, since: number, more: Partial<GroupMember> = {}): GroupMember => ({
  runId: runId as RunId,
  jobId: null,
  attempt: 1,
  since,
  ...more,
});
const enter = (members: readonly PlacedMember[], one: GroupMember, endsHolder = false) =>
  enterGroup(members, one, endsHolder);
const standings = (members: readonly PlacedMember[]): string =>
  members.map(({ runId, standing }) => `${runId} ${standing}`).join(', ');

const [a, b, c] = [member('a', 1), member('b', 2), member('c', 3)];

describe('a concurrency group', () => {
  it('is held by one, waited for by one, and the newer one replaces the one that waits', () => {
    const three = [a, b, c].reduce<readonly PlacedMember[]>((members, one) => enter(members, one), []);
    assert.equal(standings(three), 'a holder, b superseded, c pending');
    assert.equal(standings(leaveGroup(three, a)), 'b superseded, c holder');
    assert.equal(standings(leaveGroup(leaveGroup(three, b), c)), 'a holder');
  });

  it('goes by when members began, not by when they enter', () => {
    assert.equal(standings(enter(enter(enter([], a), c), b)), 'a holder, c pending, b superseded');
    assert.equal(standings(enter(enter([], b), a, true)), 'b holder, a pending');
  });

  it('cancels the holder for a newer one only where the newer one sets cancel-in-progress', () => {
    const ending = enter(enter([], a), b, true);
    assert.equal(standings(ending), 'a ending, b pending');
    assert.equal(standings(enter(ending, c)), 'a ending, b superseded, c pending');
    assert.equal(standings(leaveGroup(ending, a)), 'b holder');
  });

  it('answers a member that enters again the same, and places a later attempt again', () => {
    const members = enter(enter([], a), b);
    assert.equal(enter(members, b), members);
    assert.equal(enter(members, { ...a, jobId: null }), members);
    const again = enter(members, member('a', 9, { attempt: 2 }));
    assert.equal(standings(again), 'b holder, a pending');
    assert.equal(enter(again, a), again);
  });

  it('counts a job and its run as two', () => {
    const members = enter(enter([], a), { ...a, jobId: 'job' as JobId });
    assert.equal(members.length, 2);
  });

  it('never has two holders or two that wait, is never free while one waits, and lets the newest one run', () => {
    const runs = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({ run: runs, since: fc.nat(5), attempt: fc.integer({ min: 1, max: 2 }), kind: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let members: readonly PlacedMember[] = [];
        for (const { run, since, attempt, kind } of steps) {
          const one = member(run, since, { attempt });
          members = kind === 0 ? leaveGroup(members, one) : enter(members, one, kind === 1);
          const count = (...wanted: readonly string[]) =>
            members.filter(({ standing }) => wanted.includes(standing)).length;
          assert.ok(count('holder', 'ending') <= 1 && count('pending') <= 1);
          assert.ok(count('pending') === 0 || count('holder', 'ending') === 1);
          assert.equal(new Set(members.map(({ runId }) => runId)).size, members.length);
        }
        const order = [...members].filter(({ standing }) => standing === 'pending');
        for (const { runId } of members.filter(({ standing }) => standing === 'holder' || standing === 'ending'))
          members = leaveGroup(members, { runId, jobId: null });
        return order.every(({ runId }) => members.some((one) => one.runId === runId && one.standing === 'holder'));
      }),
    );
  });
});
