/** What a rule that is well written must not say all the same, for it could not be kept to. */
import { at, type Faults, isMembers, type Members } from './checks';
import { checkedCapacity } from './rule-checks';

interface Place {
  readonly pointer: string;
  readonly faults: Faults;
}

const tokenUnits: ReadonlySet<unknown> = new Set(['tokens', 'input-tokens', 'output-tokens']);

/** Which members of a cost are about which units. */
const fits: readonly (readonly [member: string, isFit: (unit: unknown) => boolean])[] = Object.entries({
  byRoute: (unit) => unit === 'requests',
  per: (unit) => unit === 'bytes' || tokenUnits.has(unit),
  byModel: (unit) => tokenUnits.has(unit),
  byTool: (unit) => tokenUnits.has(unit),
  cachedInput: (unit) => unit === 'tokens' || unit === 'input-tokens',
  outputWhenUnknown: (unit) => unit === 'tokens' || unit === 'output-tokens',
} satisfies { readonly [member: string]: (unit: unknown) => boolean });

const checkUnit = (algorithm: unknown, unit: unknown, { pointer, faults }: Place): void => {
  if ((algorithm === 'concurrency') !== (unit === 'concurrent-requests'))
    faults.add(pointer, 'concurrent-requests are what concurrency counts, and all that it counts.');
  if (algorithm === 'leaky-bucket' && unit !== 'requests')
    faults.add(pointer, 'leaky-bucket counts requests: it is they that wait their turn.');
};

const checkLimit = (limit: Members, cost: Members, { pointer, faults }: Place): void => {
  const capacity = checkedCapacity(limit);
  if (typeof capacity === 'string') {
    faults.add(at(pointer, 'limit'), capacity);
    return;
  }
  if (!isMembers(cost.byRoute)) return;
  const place = at(at(pointer, 'cost'), 'byRoute');
  for (const [route, each] of Object.entries(cost.byRoute))
    if ((each as number) > capacity) faults.add(at(place, route), `is more than the limit ever holds (${capacity}).`);
};

export const checkSense = (rule: Members, place: Place): void => {
  const { pointer, faults } = place;
  const limit = rule.limit as Members;
  const unit = limit.algorithm === 'concurrency' ? 'concurrent-requests' : 'requests';
  const cost = isMembers(rule.cost) ? rule.cost : { unit };
  checkUnit(limit.algorithm, cost.unit, { pointer: at(at(pointer, 'cost'), 'unit'), faults });
  for (const [member, isFit] of fits)
    if (cost[member] !== undefined && !isFit(cost.unit))
      faults.add(at(at(pointer, 'cost'), member), `says nothing about ${String(cost.unit)}.`);
  if (rule.hint !== undefined && rule.strictness !== 'soft')
    faults.add(at(pointer, 'hint'), 'is told over soft limits only.');
  checkLimit(limit, cost, place);
};
