/** Concurrency groups as rows: a row per member, and one change of a group at a time. */
import type { Pool, PoolClient } from 'pg';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { ActiveRun } from '../../../ports/workflow/active-runs';
import type { ConcurrencyGroups, GroupEntry, GroupRules, Membership } from '../../../ports/workflow/concurrency-groups';
import { attempted, rowsOf, transaction } from '../pool';
import { groupsTable } from './job-claims-schema';

/** Its name in lower case. */
type Group = Pick<GroupEntry, 'tenantId' | 'repoId' | 'name'>;
type PlacedMember = ReturnType<GroupRules['enter']>[number];
type Named = Pick<PlacedMember, 'runId' | 'jobId'>;

const isSameMember = (one: Named, other: Named): boolean => one.runId === other.runId && one.jobId === other.jobId;

const columns = `run_id as "runId", nullif(job_id, '') as "jobId", attempt, since::float8 as since, standing`;
const lock = { name: 'lock-concurrency-group', text: 'select pg_advisory_xact_lock(7079, hashtext($1))' };
const members = {
  name: 'members-of-concurrency-group',
  text: `select ${columns} from ${groupsTable} where tenant = $1 and repo_id = $2 and name = $3`,
};
const clear = {
  name: 'clear-concurrency-group',
  text: `delete from ${groupsTable} where tenant = $1 and repo_id = $2 and name = $3`,
};
const fill = {
  name: 'fill-concurrency-group',
  text: `insert into ${groupsTable} (tenant, repo_id, name, run_id, job_id, attempt, since, standing)
    select $1, $2, $3, "runId", coalesce("jobId", ''), attempt, since, standing
    from json_to_recordset($4::json) as member ("runId" text, "jobId" text, attempt integer, since bigint, standing text)`,
};
const groupOfMember = {
  name: 'group-of-member',
  text: `select tenant as "tenantId", repo_id as "repoId", name from ${groupsTable} where tenant = $1 and run_id = $2 and job_id = $3`,
};
const ofRun = {
  name: 'groups-of-run',
  text: `select nullif(job_id, '') as "jobId", name, standing from ${groupsTable} where tenant = $1 and run_id = $2`,
};

const changedRuns = (
  { tenantId }: Group,
  before: readonly PlacedMember[],
  after: readonly PlacedMember[],
): readonly ActiveRun[] => {
  const changed = after.filter((member) => {
    const earlier = before.find((one) => isSameMember(one, member));
    return earlier !== undefined && earlier.standing !== member.standing;
  });
  return [...new Set(changed.map(({ runId }) => runId))].map((runId) => ({ tenantId, runId }));
};

export const createPostgresConcurrencyGroups = (pool: Pool, rules: GroupRules): ConcurrencyGroups => {
  const attempt = <A>(work: () => Promise<A>) => attempted('concurrency-groups-unavailable', work);

  const change = (group: Group, decide: (members: readonly PlacedMember[]) => readonly PlacedMember[]) =>
    transaction(pool, async (client: PoolClient) => {
      const named = [group.tenantId, group.repoId, group.name];
      await client.query({ ...lock, values: [named.join('\n')] });
      const { rows: before } = await client.query<PlacedMember>({ ...members, values: named });
      const after = decide(before);
      if (after === before) return { after, changed: [] };
      await client.query({ ...clear, values: named });
      await client.query({ ...fill, values: [...named, JSON.stringify(after)] });
      return { after, changed: changedRuns(group, before, after) };
    });

  const leave = (tenantId: TenantId, member: Named) =>
    attempt(async () => {
      const [group] = await rowsOf<Group>(pool, groupOfMember, [tenantId, member.runId, member.jobId ?? '']);
      if (group === undefined) return [];
      const { changed } = await change(group, (placed) => rules.leave(placed, member));
      return changed.filter(({ runId }) => runId !== member.runId);
    });

  return {
    enter: ({ tenantId, repoId, name, member, endsHolder }) =>
      attempt(async () => {
        const group = { tenantId, repoId, name: name.toLowerCase() };
        const { after, changed } = await change(group, (placed) => rules.enter(placed, member, endsHolder));
        const placed = after.find((one) => isSameMember(one, member));
        return {
          standing: placed?.standing ?? 'superseded',
          changed: changed.filter(({ runId }) => runId !== member.runId),
        };
      }),
    leave,
    of: (tenantId, runId) => attempt(() => rowsOf<Membership>(pool, ofRun, [tenantId, runId])),
  };
};
