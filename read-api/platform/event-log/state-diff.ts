/** The changes that an event made to a state: JSON Pointers (RFC 6901) to added, removed and changed values. */
export interface StateChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  /** What is there now; absent where it is gone. */
  readonly value?: unknown;
  /** What was there; absent where nothing was. */
  readonly was?: unknown;
}

type Entries = ReadonlyMap<string, unknown>;

/** Undefined for what holds nothing else. Arrays are compared place by place. */
const entriesOf = (value: unknown): Entries | undefined =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const isSameKind = (one: unknown, other: unknown): boolean => Array.isArray(one) === Array.isArray(other);

export const changesBetween = (was: unknown, value: unknown, path = ''): readonly StateChange[] => {
  const [before, after] = [entriesOf(was), entriesOf(value)];
  if (before === undefined || after === undefined || !isSameKind(was, value))
    return Object.is(was, value) ? [] : [{ op: 'replace', path, value, was }];
  const gone = [...before].filter(([name]) => !after.has(name));
  return [
    ...gone.map(([name, old]): StateChange => ({ op: 'remove', path: `${path}/${escaped(name)}`, was: old })),
    ...[...after].flatMap(([name, now]): readonly StateChange[] => {
      const place = `${path}/${escaped(name)}`;
      return before.has(name) ? changesBetween(before.get(name), now, place) : [{ op: 'add', path: place, value: now }];
    }),
  ];
};
