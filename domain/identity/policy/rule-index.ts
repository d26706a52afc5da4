/**
 * Finds the rules that a request can match without looking at the others: by principal, then by path, then by action, each the most selective
 * field that a rule has. What is found is a superset; the rest of a rule is checked after.
 */
import type { PolicyRule } from './document';
import { anyRest, anySegment, ownPrincipal, ownTenant, patternSegments } from './paths';
import { type PolicyRequest, roleContext } from './request';

type Bucket<Entry> = Map<string, Entry[]>;

/** Most nodes have one of these only, and there are many. */
interface PathNode<Entry> {
  children: Map<string, PathNode<Entry>> | undefined;
  /** Of patterns that end here. */
  here: Bucket<Entry> | undefined;
  /** Of patterns with an open end. */
  below: Bucket<Entry> | undefined;
}

const newNode = <Entry>(): PathNode<Entry> => ({ children: undefined, here: undefined, below: undefined });

const any = '';
/** Entries of one rule. Beyond it a rule is found by fewer fields, so that no document makes an index many times its size. */
const maxEntriesOfRule = 1_000;

const principalKeys = ({ principal: { ids, labels, roles, types } = {} }: PolicyRule): readonly string[] =>
  ids?.map((id) => `id ${id}`) ??
  labels?.map((label) => `label ${label}`) ??
  roles?.map((role) => `context ${roleContext(role)}`) ??
  types?.map((type) => `type ${type}`) ?? [any];

const actionKeys = ({ action: { operations, scopes, routeGroups, methods } = {} }: PolicyRule): readonly string[] =>
  operations?.map((operation) => `operation ${operation}`) ??
  scopes?.map((scope) => `scope ${scope}`) ??
  routeGroups?.map((group) => `group ${group}`) ??
  methods?.map((method) => `method ${method}`) ?? [any];

/** An open end at the root is every path, so it stands for rules without paths as well. */
const pathKeys = ({ resource: { paths } = {} }: PolicyRule): readonly (readonly string[])[] =>
  paths?.flatMap((path) => {
    const segments = patternSegments(path);
    return segments === undefined ? [] : [segments];
  }) ?? [[anyRest]];

const keysOf = (rule: PolicyRule) => {
  const paths = pathKeys(rule);
  let [principals, actions] = [principalKeys(rule), actionKeys(rule)];
  if (paths.length * principals.length * actions.length > maxEntriesOfRule) actions = [any];
  if (paths.length * principals.length > maxEntriesOfRule) principals = [any];
  return { paths, principals, actions };
};

const bucketFor = <Entry>(root: PathNode<Entry>, pattern: readonly string[]): Bucket<Entry> => {
  const isOpen = pattern.at(-1) === anyRest;
  let node = root;
  for (const part of isOpen ? pattern.slice(0, -1) : pattern) {
    node.children ??= new Map();
    const next = node.children.get(part) ?? newNode<Entry>();
    node.children.set(part, next);
    node = next;
  }
  if (isOpen) {
    node.below ??= new Map();
    return node.below;
  }
  node.here ??= new Map();
  return node.here;
};

const bucketsOn = <Entry>(root: PathNode<Entry>, request: PolicyRequest): Bucket<Entry>[] => {
  const { segments = [], principalId, tenantId } = request;
  const found: Bucket<Entry>[] = [];
  const visit = (node: PathNode<Entry>, depth: number): void => {
    if (node.below !== undefined) found.push(node.below);
    const segment = segments[depth];
    if (segment === undefined) {
      if (node.here !== undefined) found.push(node.here);
      return;
    }
    const { children } = node;
    if (children === undefined) return;
    const descend = (part: string): void => {
      const next = children.get(part);
      if (next !== undefined) visit(next, depth + 1);
    };
    if (segment !== anySegment && segment !== ownPrincipal && segment !== ownTenant) descend(segment);
    descend(anySegment);
    if (segment === principalId) descend(ownPrincipal);
    if (segment === tenantId) descend(ownTenant);
  };
  visit(root, 0);
  return found;
};

export interface RuleIndex<Entry> {
  /** Lists of entries, each in the order of the rules. An entry can be in several. */
  readonly find: (request: PolicyRequest, labels: readonly string[]) => readonly (readonly Entry[])[];
}

export const createRuleIndex = <Entry extends { readonly rule: PolicyRule }>(
  entries: readonly Entry[],
): RuleIndex<Entry> => {
  const roots = new Map<string, PathNode<Entry>>();
  for (const entry of entries) {
    const { paths, principals, actions } = keysOf(entry.rule);
    for (const principal of principals) {
      const root = roots.get(principal) ?? newNode<Entry>();
      roots.set(principal, root);
      for (const path of paths) {
        const bucket = bucketFor(root, path);
        for (const action of actions) {
          const list = bucket.get(action);
          if (list === undefined) bucket.set(action, [entry]);
          else if (list.at(-1) !== entry) list.push(entry);
        }
      }
    }
  }
  return {
    find: (request, labels) => {
      const { principalId, principalType, authContext, operation, routeGroup, scopes, method } = request;
      const actions = [any, `operation ${operation}`, `group ${routeGroup}`, `method ${method}`];
      for (const scope of scopes) actions.push(`scope ${scope}`);
      const found: (readonly Entry[])[] = [];
      const search = (principal: string): void => {
        const root = roots.get(principal);
        if (root === undefined) return;
        for (const bucket of bucketsOn(root, request))
          for (const action of actions) {
            const list = bucket.get(action);
            if (list !== undefined) found.push(list);
          }
      };
      search(any);
      search(`id ${principalId}`);
      search(`type ${principalType}`);
      for (const context of authContext) search(`context ${context}`);
      for (const label of labels) search(`label ${label}`);
      return found;
    },
  };
};
