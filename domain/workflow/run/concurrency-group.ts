/**
 * A concurrency group: one run or job holds it, one waits for it, and a newer one replaces the one that waits. Members are ordered by when
 * they began, not by when they arrive, so that a slow definition does not change their order.
 */
import type { JobId, RunId } from '../ids';

export interface GroupMember {
  readonly runId: RunId;
  /** Null: the run as a whole. */
  readonly jobId: JobId | null;
  /** Of the run. */
  readonly attempt: number;
  /** When the run's attempt began, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * `holder`: it may run. `ending`: it still holds the group, and is being canceled. `pending`: it waits. `superseded`: it waited, and a newer one
 * came. Members stay until they have ended, so that one that enters again gets the same answer.
 */
export type GroupStanding = 'holder' | 'ending' | 'pending' | 'superseded';

export interface PlacedMember extends GroupMember {
  readonly standing: GroupStanding;
}

type Placed = readonly PlacedMember[];

export const isSameMember = (
  one: Pick<GroupMember, 'runId' | 'jobId'>,
  other: Pick<GroupMember, 'runId' | 'jobId'>,
): boolean => one.runId === other.runId && one.jobId === other.jobId;

const keyOf = ({ runId, jobId }: GroupMember): string => `${runId} ${jobId ?? ''}`;

const isNewer = (one: GroupMember, other: GroupMember): boolean =>
  one.since === other.since ? keyOf(one) > keyOf(other) : one.since > other.since;

const holds = ({ standing }: PlacedMember): boolean => standing === 'holder' || standing === 'ending';

export const leaveGroup = (members: Placed, one: Pick<GroupMember, 'runId' | 'jobId'>): Placed => {
  const rest = members.filter((member) => !isSameMember(member, one));
  if (rest.some(holds)) return rest;
  return rest.map((member) => (member.standing === 'pending' ? { ...member, standing: 'holder' } : member));
};

const replaced = (member: PlacedMember, by: GroupMember, endsHolder: boolean): PlacedMember => {
  if (member.standing === 'pending') return { ...member, standing: 'superseded' };
  return member.standing === 'holder' && endsHolder && isNewer(by, member) ? { ...member, standing: 'ending' } : member;
};

/** `endsHolder`: `cancel-in-progress`. Repeating it has no effect; a later attempt enters as a new member. */
export const enterGroup = (members: Placed, one: GroupMember, endsHolder: boolean): Placed => {
  const known = members.find((member) => isSameMember(member, one));
  if (known !== undefined && known.attempt >= one.attempt) return members;
  const others = known === undefined ? members : leaveGroup(members, known);
  if (!others.some(holds)) return [...others, { ...one, standing: 'holder' }];
  const pending = others.find(({ standing }) => standing === 'pending');
  if (pending !== undefined && isNewer(pending, one)) return [...others, { ...one, standing: 'superseded' }];
  return [...others.map((member) => replaced(member, one, endsHolder)), { ...one, standing: 'pending' }];
};

export const groupRules = { enter: enterGroup, leave: leaveGroup };
