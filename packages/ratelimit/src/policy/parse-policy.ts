/**
 * Validates and indexes policies. It runs in steps, one per entry of the long lists, so that the caller can pause in
 * between; entries are checked and indexed but not stored.
 */

import { type Entries, UnreadableEntry } from './entries';
import {
  type Check,
  childPointer,
  createFaultCollector,
  type Fault,
  type FaultCollector,
  isJsonObject,
  type JsonObject,
  listOf,
  mapOf,
  objectOf,
  text,
} from './json-validation';
import { createMatchIndex, type MatchIndex } from './match-index';
import {
  type AllowEntry,
  type Block,
  costOrDefault,
  type Override,
  type Policy,
  type PolicySource,
  type Rule,
} from './policy';
import { otherRoutes } from './route-groups';
import { checkConsistency, match, ruleShape } from './rule-validation';
import { runToEnd } from './time-slices';

const listNames = ['overrides', 'allow', 'blocks'] as const;
type ListName = (typeof listNames)[number];

/** Replaces the lists of a policy that is parsed entry by entry. */
export type PolicyLists = { readonly [list in ListName]?: Entries<unknown> };

/** A valid policy with its indexes. */
export interface IndexedPolicy {
  readonly policy: PolicySource;
  readonly indexes: { readonly [list in ListName]: MatchIndex };
  /** Some rule needs settlement or release. */
  readonly settles: boolean;
  /** Some rule refunds unsettled reservations. */
  readonly refunds: boolean;
}

export type IndexingResult =
  | { readonly ok: true; readonly indexed: IndexedPolicy }
  | { readonly ok: false; readonly errors: readonly Fault[] };

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly errors: readonly Fault[] };

const maxSizes = { rules: 64, plans: 1_000, entries: 100_000, groups: 1_000, paths: 1_000, methods: 20 } as const;

const path: Check = (value, pointer, faults) => {
  text(value, pointer, faults);
  if (typeof value !== 'string') return;
  if (!value.startsWith('/') || /[?#\\%]/.test(value))
    faults.add(pointer, 'is to be a path from /, written as it reads: nothing encoded, no query.');
  const segments = value.split('/');
  if (segments.some((one) => one.includes('*') && one !== '*' && one !== '**'))
    faults.add(pointer, 'may have * for a whole segment only.');
  if (segments.slice(0, -1).includes('**')) faults.add(pointer, 'may have ** at its end only.');
};

const method: Check = (value, pointer, faults) => {
  if (typeof value !== 'string' || !/^[A-Za-z-]{1,20}$/.test(value)) faults.add(pointer, 'is to be a method.');
};

const rules = listOf(ruleShape, { max: maxSizes.rules });

const list: Check = (value, pointer, faults) => {
  if (!Array.isArray(value)) faults.add(pointer, 'is to be a list.');
};

/** Without the entries of the long lists, which are checked one by one. */
const policyShape = objectOf({
  required: { version: text, defaults: rules },
  optional: {
    routeGroups: listOf(
      objectOf({
        required: { name: text, paths: listOf(path, { max: maxSizes.paths }) },
        optional: { methods: listOf(method, { min: 1, max: maxSizes.methods }) },
      }),
      { max: maxSizes.groups },
    ),
    plans: mapOf(rules, { max: maxSizes.plans }),
    unknownPlan: text,
    overrides: list,
    allow: list,
    blocks: list,
  },
});

const entryShapes: { readonly [list in ListName]: Check } = {
  overrides: objectOf({ required: { match, rules } }),
  allow: objectOf({ required: { match } }),
  blocks: objectOf({ required: { match }, optional: { message: text } }),
};

/** Rejects unknown route groups: a rule that names one would match no request, without any error. */
type CheckGroups = (names: readonly unknown[], pointer: string) => void;

const createGroupCheck = ({ routeGroups = [] }: PolicySource, faults: FaultCollector): CheckGroups => {
  if (routeGroups.length === 0) return () => undefined;
  const known = new Set<unknown>([otherRoutes, ...routeGroups.map(({ name }) => name)]);
  return (names, pointer) => {
    for (const name of names)
      if (!known.has(name) && !String(name).endsWith('*'))
        faults.add(pointer, `${String(name)} is not a route group of the policy.`);
  };
};

const checkUnique = (names: readonly string[], pointerOf: (index: number) => string, faults: FaultCollector): void => {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (seen.has(name)) faults.add(pointerOf(index), `${name} is there twice.`);
    seen.add(name);
  });
};

interface PolicyChecks {
  readonly faults: FaultCollector;
  readonly checkGroups: CheckGroups;
  /** Called with every valid rule. */
  readonly onRule: (rule: Rule) => void;
}

const checkRules = (all: readonly Rule[], pointer: string, { faults, checkGroups, onRule }: PolicyChecks): void => {
  checkUnique(
    all.map(({ name }) => name),
    (index) => childPointer(childPointer(pointer, index), 'name'),
    faults,
  );
  all.forEach((rule, index) => {
    const entryIndex = childPointer(pointer, index);
    checkConsistency(rule as unknown as JsonObject, { pointer: entryIndex, faults });
    if (rule.when?.route !== undefined)
      checkGroups(rule.when.route, childPointer(childPointer(entryIndex, 'when'), 'route'));
    if (rule.cost?.byRoute !== undefined)
      checkGroups(Object.keys(rule.cost.byRoute), childPointer(childPointer(entryIndex, 'cost'), 'byRoute'));
    onRule(rule);
  });
};

/** Checks everything but the long lists. */
function* checkFrame(policy: PolicySource, checks: PolicyChecks): Generator<undefined, void> {
  const { routeGroups = [], plans = {}, unknownPlan, defaults } = policy;
  const { faults } = checks;
  if (unknownPlan !== undefined && !Object.hasOwn(plans, unknownPlan))
    faults.add('/unknownPlan', 'is to be one of the plans.');
  const names = routeGroups.map(({ name }) => name);
  checkUnique(names, (index) => `/routeGroups/${index}/name`, faults);
  if (names.includes(otherRoutes)) faults.add('/routeGroups', `${otherRoutes} is what no group fits.`);
  checkRules(defaults, '/defaults', checks);
  for (const [plan, ofPlan] of Object.entries(plans)) {
    yield;
    checkRules(ofPlan, childPointer('/plans', plan), checks);
  }
}

type Entry = Override | AllowEntry | Block;

/** Undefined if the entry is invalid; its faults are collected. */
const checkEntry = (name: ListName, written: unknown, pointer: string, faults: FaultCollector): Entry | undefined => {
  const before = faults.all().length;
  if (written instanceof UnreadableEntry) faults.add(pointer, written.message);
  else entryShapes[name](written, pointer, faults);
  return faults.all().length > before ? undefined : (written as Entry);
};

function* indexList(name: ListName, entries: Entries<unknown>, checks: PolicyChecks): Generator<undefined, MatchIndex> {
  const { faults, checkGroups } = checks;
  const index = createMatchIndex();
  if (entries.length > maxSizes.entries) faults.add(`/${name}`, `is to have from 0 to ${maxSizes.entries} entries.`);
  for (let entryIndex = 0; entryIndex < entries.length && !faults.isFull(); entryIndex += 1) {
    yield;
    const pointer = `/${name}/${entryIndex}`;
    const entry = checkEntry(name, entries.at(entryIndex), pointer, faults);
    if (entry === undefined) continue;
    if ('rules' in entry) checkRules(entry.rules, `${pointer}/rules`, checks);
    if (entry.match.route !== undefined) checkGroups(entry.match.route, `${pointer}/match/route`);
    index.add(entry.match, entryIndex);
  }
  return index;
}

const findLists = (written: JsonObject): PolicyLists =>
  Object.fromEntries(
    listNames.flatMap((name) => {
      const entries = written[name];
      return Array.isArray(entries) ? [[name, entries as readonly unknown[]]] : [];
    }),
  );

/** Validates and indexes in steps. `ownLists` replaces the lists in the text. Returns faults and never throws. */
export function* indexPolicy(written: unknown, ownLists?: PolicyLists): Generator<undefined, IndexingResult> {
  const faults = createFaultCollector();
  if (!isJsonObject(written)) return { ok: false, errors: [{ pointer: '', message: 'is to be an object.' }] };
  policyShape(written, '', faults);
  const lists = ownLists ?? findLists(written);
  const policy = { ...written, ...lists } as unknown as PolicySource;
  // Cross-checks need parts of the right shape.
  const isSound = faults.all().length === 0;
  const found = { settles: false, refunds: false };
  const onRule = (rule: Rule): void => {
    const { unit } = costOrDefault(rule);
    found.settles ||= unit !== 'requests' && unit !== 'bytes';
    found.refunds ||= rule.orphan === 'refund';
  };
  const checks = { faults, onRule, checkGroups: isSound ? createGroupCheck(policy, faults) : () => undefined };
  if (isSound) yield* checkFrame(policy, checks);
  const indexes = {
    overrides: yield* indexList('overrides', lists.overrides ?? [], checks),
    allow: yield* indexList('allow', lists.allow ?? [], checks),
    blocks: yield* indexList('blocks', lists.blocks ?? [], checks),
  };
  if (faults.all().length > 0) return { ok: false, errors: faults.all() };
  return { ok: true, indexed: { policy, indexes, ...found } };
}

/** Runs all steps at once. */
export const indexPolicyAtOnce = (written: unknown): IndexingResult => runToEnd(indexPolicy(written));

/** Validates any value; returns faults and never throws. */
export const parsePolicy = (written: unknown): ParsedPolicy => {
  const read = indexPolicyAtOnce(written);
  return read.ok ? { ok: true, policy: written as Policy } : read;
};
