/** Policies as they are written, or everything that is wrong with them. */
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
import type { Policy } from './policy';
import { otherRoutes } from './route-groups';
import { match, ruleShape } from './rule-checks';
import { checkSense } from './rule-sense';

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

const shape = members({
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
    overrides: listOf(members({ required: { match, rules } }), { most: most.entries }),
    allow: listOf(members({ required: { match } }), { most: most.entries }),
    blocks: listOf(members({ required: { match }, optional: { message: text } }), { most: most.entries }),
  },
});

/** Whatever names no group of the policy would hold for nobody, and nobody would notice. */
type CheckGroups = (names: readonly unknown[], pointer: string) => void;

const groupsOf = ({ routeGroups = [] }: Policy, faults: Faults): CheckGroups => {
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

type Rules = Policy['defaults'];

const checkRules = (
  all: Rules,
  pointer: string,
  { faults, checkGroups }: { faults: Faults; checkGroups: CheckGroups },
) => {
  unique(
    all.map(({ name }) => name),
    (index) => at(at(pointer, index), 'name'),
    faults,
  );
  all.forEach((rule, index) => {
    const place = at(pointer, index);
    checkSense(rule as unknown as Members, { pointer: place, faults });
    checkGroups(rule.when?.route ?? [], at(at(place, 'when'), 'route'));
    checkGroups(Object.keys(rule.cost?.byRoute ?? {}), at(at(place, 'cost'), 'byRoute'));
  });
};

const checkWhole = (policy: Policy, faults: Faults): void => {
  const { routeGroups = [], plans = {}, unknownPlan, overrides = [], allow = [], blocks = [], defaults } = policy;
  if (unknownPlan !== undefined && !Object.hasOwn(plans, unknownPlan))
    faults.add('/unknownPlan', 'is to be one of the plans.');
  const names = routeGroups.map(({ name }) => name);
  unique(names, (index) => `/routeGroups/${index}/name`, faults);
  if (names.includes(otherRoutes)) faults.add('/routeGroups', `${otherRoutes} is what no group fits.`);
  const checkGroups = groupsOf(policy, faults);
  const among = { faults, checkGroups };
  checkRules(defaults, '/defaults', among);
  for (const [plan, ofPlan] of Object.entries(plans)) checkRules(ofPlan, at('/plans', plan), among);
  overrides.forEach((override, index) => {
    checkRules(override.rules, `/overrides/${index}/rules`, among);
  });
  for (const [list, entries] of Object.entries({ overrides, allow, blocks }))
    entries.forEach((entry, index) => {
      checkGroups(entry.match.route ?? [], `/${list}/${index}/match/route`);
    });
};

/** Of whatever was read; answers everything, throws nothing. */
export const parsePolicy = (written: unknown): ParsedPolicy => {
  const faults = openFaults();
  if (!isMembers(written)) return { ok: false, errors: [{ pointer: '', message: 'is to be an object.' }] };
  shape(written, '', faults);
  // Whatever is asked of it as a whole takes its parts to be what they should.
  if (faults.all().length === 0) checkWhole(written as unknown as Policy, faults);
  if (faults.all().length > 0) return { ok: false, errors: faults.all() };
  return { ok: true, policy: written as unknown as Policy };
};
