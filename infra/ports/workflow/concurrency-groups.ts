/** Which run or job of a concurrency group may run, and which one waits. */
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { JobId, RepositoryId, RunId } from '../../../domain/workflow/ids';
import type { GroupMember, GroupStanding, PlacedMember } from '../../../domain/workflow/run/concurrency-group';
import type { ActiveRun } from './active-runs';

export type ConcurrencyGroupsFault = Fault<'concurrency-groups-unavailable'>;
type Answer<Value> = Promise<Either<ConcurrencyGroupsFault, Value>>;

/** How a group changes; of the domain. */
export interface GroupRules {
  readonly enter: (members: readonly PlacedMember[], one: GroupMember, endsHolder: boolean) => readonly PlacedMember[];
  readonly leave: (
    members: readonly PlacedMember[],
    one: Pick<GroupMember, 'runId' | 'jobId'>,
  ) => readonly PlacedMember[];
}

export interface GroupEntry {
  readonly tenantId: TenantId;
  readonly repoId: RepositoryId;
  /** Whatever its case. */
  readonly name: string;
  readonly member: GroupMember;
  /** The holder is canceled for it. */
  readonly endsHolder: boolean;
}

export interface Membership {
  readonly jobId: JobId | null;
  readonly name: string;
  readonly standing: GroupStanding;
}

export interface ConcurrencyGroups {
  /** `changed`: other runs, of which a member's standing changed. Again without effect. */
  readonly enter: (
    entry: GroupEntry,
  ) => Answer<{ readonly standing: GroupStanding; readonly changed: readonly ActiveRun[] }>;
  /** The run, or its job, has ended. Answers runs of which a member's standing changed. */
  readonly leave: (tenantId: TenantId, member: Pick<GroupMember, 'runId' | 'jobId'>) => Answer<readonly ActiveRun[]>;
  /** Groups that a run and its jobs are in. */
  readonly of: (tenantId: TenantId, runId: RunId) => Answer<readonly Membership[]>;
}
