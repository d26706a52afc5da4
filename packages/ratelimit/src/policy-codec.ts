/**
 * Policies as they are written, or everything that is wrong with them. A policy is read in steps, one for each entry of its long lists,
 * between which its reader may do something else; each entry is checked and indexed, and not kept.
 */
import {
  at,
  type Check,
  type Fault,
  type Faults,
  isMembers,
  listOf,
  type Members,
  mapOf,
  members,
  openFaults,
  text,
} from './checks';
import { type Entries, UnreadableEntry } from './entries';
import { type MatchIndex, openMatchIndex } from './match';
import {
  type AllowEntry,
  type Block,
  costIn,
  type Override,
  type Policy,
  type PolicySource,
  type Rule,
} from './policy';
import { otherRoutes } from './route-groups';
import { match, ruleShape } from './rule-checks';
import { checkSense } from './rule-sense';
import { atOnce } from './slices';

const listNames = ['overrides', 'allow', 'blocks'] as const;
type ListName = (typeof listNames)[number];

/** Of a policy that is read entry by entry, in the place of its own. */
export type WrittenLists = { readonly [list in ListName]?: Entries<unknown> };

/** A policy without faults, and what a limiter is to know of all of its rules and entries. */
export interface IndexedPolicy {
  readonly policy: PolicySource;
  readonly indexes: { readonly [list in ListName]: MatchIndex };
  /** Some rule counts what is to be settled or released. */
  readonly settles: boolean;
  /** Some rule gives back what nobody settles. */
  readonly refunds: boolean;
}

export type IndexingResult =
  | { readonly ok: true; readonly indexed: IndexedPolicy }
  | { readonly ok: false; readonly errors: readonly Fault[] };

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly errors: readonly Fault[] };

const most = { rules: 64, plans: 1_000, entries: 100_000, groups: 1_000, paths: 1_000, methods: 20 } as const;

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

const rules = listOf(ruleShape, { most: most.rules });

const list: Check = (value, pointer, faults) => {
  if (!Array.isArray(value)) faults.add(pointer, 'is to be a list.');
};

/** Entries of the long lists are checked one by one. */
const frameShape = members({
  required: { version: text, defaults: rules },
  optional: {
    routeGroups: listOf(
      members({
        required: { name: text, paths: listOf(path, { most: most.paths }) },
        optional: { methods: listOf(method, { least: 1, most: most.methods }) },
      }),
      { most: most.groups },
    ),
    plans: mapOf(rules, { most: most.plans }),
    unknownPlan: text,
    overrides: list,
    allow: list,
    blocks: list,
  },
});

const entryShapes: { readonly [list in ListName]: Check } = {
  overrides: members({ required: { match, rules } }),
  allow: members({ required: { match } }),
  blocks: members({ required: { match }, optional: { message: text } }),
};

/** Whatever names no group of the policy would hold for nobody, and nobody would notice. */
type CheckGroups = (names: readonly unknown[], pointer: string) => void;

const groupsOf = ({ routeGroups = [] }: PolicySource, faults: Faults): CheckGroups => {
  if (routeGroups.length === 0) return () => undefined;
  const known = new Set<unknown>([otherRoutes, ...routeGroups.map(({ name }) => name)]);
  return (names, pointer) => {
    for (const name of names)
      if (!known.has(name) && !String(name).endsWith('*'))
        faults.add(pointer, `${String(name)} is no route group of the policy.`);
  };
};

const unique = (names: readonly string[], pointerOf: (index: number) => string, faults: Faults): void => {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (seen.has(name)) faults.add(pointerOf(index), `${name} is there twice.`);
    seen.add(name);
  });
};

interface Checking {
  readonly faults: Faults;
  readonly checkGroups: CheckGroups;
  /** Told of every rule that is well written. */
  readonly note: (rule: Rule) => void;
}

const checkRules = (all: readonly Rule[], pointer: string, { faults, checkGroups, note }: Checking): void => {
  unique(
    all.map(({ name }) => name),
    (index) => at(at(pointer, index), 'name'),
    faults,
  );
  all.forEach((rule, index) => {
    const place = at(pointer, index);
    checkSense(rule as unknown as Members, { pointer: place, faults });
    if (rule.when?.route !== undefined) checkGroups(rule.when.route, at(at(place, 'when'), 'route'));
    if (rule.cost?.byRoute !== undefined) checkGroups(Object.keys(rule.cost.byRoute), at(at(place, 'cost'), 'byRoute'));
    note(rule);
  });
};

/** All but the long lists. */
function* checkFrame(policy: PolicySource, checking: Checking): Generator<undefined, void> {
  const { routeGroups = [], plans = {}, unknownPlan, defaults } = policy;
  const { faults } = checking;
  if (unknownPlan !== undefined && !Object.hasOwn(plans, unknownPlan))
    faults.add('/unknownPlan', 'is to be one of the plans.');
  const names = routeGroups.map(({ name }) => name);
  unique(names, (index) => `/routeGroups/${index}/name`, faults);
  if (names.includes(otherRoutes)) faults.add('/routeGroups', `${otherRoutes} is what no group fits.`);
  checkRules(defaults, '/defaults', checking);
  for (const [plan, ofPlan] of Object.entries(plans)) {
    yield;
    checkRules(ofPlan, at('/plans', plan), checking);
  }
}

type Entry = Override | AllowEntry | Block;

/** Undefined, and told, where it is not well written. */
const checkedEntry = (name: ListName, written: unknown, pointer: string, faults: Faults): Entry | undefined => {
  const before = faults.all().length;
  if (written instanceof UnreadableEntry) faults.add(pointer, written.message);
  else entryShapes[name](written, pointer, faults);
  return faults.all().length > before ? undefined : (written as Entry);
};

function* indexList(name: ListName, entries: Entries<unknown>, checking: Checking): Generator<undefined, MatchIndex> {
  const { faults, checkGroups } = checking;
  const index = openMatchIndex();
  if (entries.length > most.entries) faults.add(`/${name}`, `is to have from 0 to ${most.entries} entries.`);
  for (let place = 0; place < entries.length && !faults.isFull(); place += 1) {
    yield;
    const pointer = `/${name}/${place}`;
    const entry = checkedEntry(name, entries.at(place), pointer, faults);
    if (entry === undefined) continue;
    if ('rules' in entry) checkRules(entry.rules, `${pointer}/rules`, checking);
    if (entry.match.route !== undefined) checkGroups(entry.match.route, `${pointer}/match/route`);
    index.add(entry.match, place);
  }
  return index;
}

const listsIn = (written: Members): WrittenLists =>
  Object.fromEntries(
    listNames.flatMap((name) => {
      const entries = written[name];
      return Array.isArray(entries) ? [[name, entries as readonly unknown[]]] : [];
    }),
  );

/** In steps; lists that are given stand in the place of those that are written. Answers everything, throws nothing. */
export function* indexPolicy(written: unknown, given?: WrittenLists): Generator<undefined, IndexingResult> {
  const faults = openFaults();
  if (!isMembers(written)) return { ok: false, errors: [{ pointer: '', message: 'is to be an object.' }] };
  frameShape(written, '', faults);
  const lists = given ?? listsIn(written);
  const policy = { ...written, ...lists } as unknown as PolicySource;
  // Whatever is asked of it as a whole takes its parts to be what they should.
  const isSound = faults.all().length === 0;
  const found = { settles: false, refunds: false };
  const note = (rule: Rule): void => {
    const { unit } = costIn(rule);
    found.settles ||= unit !== 'requests' && unit !== 'bytes';
    found.refunds ||= rule.orphan === 'refund';
  };
  const checking = { faults, note, checkGroups: isSound ? groupsOf(policy, faults) : () => undefined };
  if (isSound) yield* checkFrame(policy, checking);
  const indexes = {
    overrides: yield* indexList('overrides', lists.overrides ?? [], checking),
    allow: yield* indexList('allow', lists.allow ?? [], checking),
    blocks: yield* indexList('blocks', lists.blocks ?? [], checking),
  };
  if (faults.all().length > 0) return { ok: false, errors: faults.all() };
  return { ok: true, indexed: { policy, indexes, ...found } };
}

/** Without a pause. */
export const indexedPolicy = (written: unknown): IndexingResult => atOnce(indexPolicy(written));

/** Of whatever was read; answers everything, throws nothing. */
export const parsePolicy = (written: unknown): ParsedPolicy => {
  const read = indexedPolicy(written);
  return read.ok ? { ok: true, policy: written as Policy } : read;
};
