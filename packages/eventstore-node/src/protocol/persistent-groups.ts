/** A node's groups: one registry for all services that know of them. */
import { createInfo, type GroupInfo } from '../persistent/info';
import { createRegistry, type Registry } from '../persistent/registry';
import type { Running } from '../persistent/runner';
import type { FilterText } from '../persistent/settings';
import type { Matches } from '../storage/read';
import { streamOf, typeOf } from '../storage/record';
import type { Node } from './calls';
import { matcher } from './filter';
import { groupDropped } from './persistent-errors';

export interface Groups extends Registry {
  readonly infoOf: (running: Running) => GroupInfo;
}

/** Throws the call's status for an expression that is none. */
export const matchesOf = (filter: FilterText | undefined): Matches => {
  if (filter === undefined) return () => true;
  const expression = { getRegex: () => filter.regex, getPrefixList: () => [...filter.prefixes] };
  return matcher(expression, filter.on === 'stream' ? streamOf : typeOf);
};

const byNode = new WeakMap<Node, Groups>();

/** Read from the log when they are first asked for. */
export const groupsOf = (node: Node): Groups => {
  const known = byNode.get(node);
  if (known !== undefined) return known;
  const { storage, writer, bell, report } = node;
  const registry = createRegistry({ storage, writer, bell, report, matcher: matchesOf, dropped: groupDropped });
  const groups = { ...registry, infoOf: createInfo(storage) };
  byNode.set(node, groups);
  return groups;
};
