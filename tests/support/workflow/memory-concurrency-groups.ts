/** Concurrency groups in memory, by the same rules as those in Postgres. */
import { right } from 'fp-ts/Either';
import {
  enterGroup,
  type GroupMember,
  isSameMember,
  leaveGroup,
  type PlacedMember,
} from '../../../domain/workflow/run/concurrency-group';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import type { ConcurrencyGroups, GroupEntry } from '../../../infra/ports/workflow/concurrency-groups';

type Group = Pick<GroupEntry, 'tenantId' | 'repoId' | 'name'>;

export const createMemoryConcurrencyGroups = (): ConcurrencyGroups => {
  const groups = new Map<string, { readonly group: Group; members: readonly PlacedMember[] }>();
  const groupOf = (named: Group) => {
    const group = { tenantId: named.tenantId, repoId: named.repoId, name: named.name.toLowerCase() };
    const key = JSON.stringify(group);
    const known = groups.get(key) ?? { group, members: [] };
    groups.set(key, known);
    return known;
  };
  const change = (
    known: ReturnType<typeof groupOf>,
    after: readonly PlacedMember[],
    member: Pick<GroupMember, 'runId' | 'jobId'>,
  ): readonly ActiveRun[] => {
    const standingOf = (one: PlacedMember) => known.members.find((other) => isSameMember(one, other))?.standing;
    const changed = after.filter((one) => standingOf(one) !== undefined && standingOf(one) !== one.standing);
    known.members = after;
    const runIds = new Set(changed.map(({ runId }) => runId).filter((runId) => runId !== member.runId));
    return [...runIds].map((runId) => ({ tenantId: known.group.tenantId, runId }));
  };
  return {
    enter: async ({ member, endsHolder, ...named }) => {
      const known = groupOf(named);
      const changed = change(known, enterGroup(known.members, member, endsHolder), member);
      const standing = known.members.find((one) => isSameMember(one, member))?.standing ?? 'superseded';
      return right({ standing, changed });
    },
    leave: async (tenantId, member) => {
      const known = [...groups.values()].find(
        ({ group, members }) => group.tenantId === tenantId && members.some((one) => isSameMember(one, member)),
      );
      return right(known === undefined ? [] : change(known, leaveGroup(known.members, member), member));
    },
    of: async (tenantId, runId) =>
      right(
        [...groups.values()]
          .filter(({ group }) => group.tenantId === tenantId)
          .flatMap(({ group: { name }, members }) =>
            members.filter((one) => one.runId === runId).map(({ jobId, standing }) => ({ jobId, name, standing })),
          ),
      ),
  };
};
