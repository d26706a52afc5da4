/** A node's groups: one registry for all services that use them. */

import { createGroupRegistry, type GroupRegistry } from '../../persistent-subscriptions/group-registry';
import type { RunningGroup } from '../../persistent-subscriptions/group-runner';
import { createGroupStatistics, type GroupInfo } from '../../persistent-subscriptions/group-statistics';
import type { FilterText } from '../../persistent-subscriptions/settings';
import type { Matches } from '../../storage/read-pages';
import { streamOf, typeOf } from '../../storage/records/record-format';
import type { Node } from '../call-context';
import { createMatcher } from '../streams/filter';
import { groupDropped } from './errors';

export interface GroupService extends GroupRegistry {
  readonly infoOf: (running: RunningGroup) => GroupInfo;
}

/** Throws the call's status for an invalid regular expression. */
export const createFilterMatcher = (filter: FilterText | undefined): Matches => {
  if (filter === undefined) return () => true;
  const expression = { getRegex: () => filter.regex, getPrefixList: () => [...filter.prefixes] };
  return createMatcher(expression, filter.on === 'stream' ? streamOf : typeOf);
};

const byNode = new WeakMap<Node, GroupService>();

/** Read from the log on first use. */
export const groupsOf = (node: Node): GroupService => {
  const known = byNode.get(node);
  if (known !== undefined) return known;
  const { storage, writer, commitNotifier, report } = node;
  const registry = createGroupRegistry({
    storage,
    writer,
    commitNotifier,
    report,
    createMatcher: createFilterMatcher,
    droppedError: groupDropped,
  });
  const groups = { ...registry, infoOf: createGroupStatistics(storage) };
  byNode.set(node, groups);
  return groups;
};
