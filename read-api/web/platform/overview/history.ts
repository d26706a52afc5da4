/** Series of the recorded history by name, as charts take them. */
import type { Overview } from '../api-types';

type Values = readonly (number | null)[];

export interface History {
  readonly from: number;
  readonly stepSeconds: number;
  /** Undefined: nothing recorded it. */
  readonly of: (series: string) => Values | undefined;
  /** The sum of all series below a name, such as `waiting/`. */
  readonly sumOf: (prefix: string) => Values | undefined;
  readonly namesOf: (prefix: string) => readonly string[];
}

const add = (one: Values, other: Values): Values =>
  one.map((value, index) => {
    const next = other[index] ?? null;
    return value === null ? next : next === null ? value : value + next;
  });

export const historyOf = ({ history: { from, stepSeconds, series } }: Pick<Overview, 'history'>): History => {
  const byName = new Map(series.map(({ name, values }) => [name, values]));
  const below = (prefix: string) => series.filter(({ name }) => name.startsWith(prefix));
  return {
    from: Date.parse(from),
    stepSeconds,
    of: (name) => byName.get(name),
    sumOf: (prefix) => {
      const [first, ...others] = below(prefix).map(({ values }) => values);
      return first === undefined ? undefined : others.reduce(add, first);
    },
    namesOf: (prefix) => below(prefix).map(({ name }) => name.slice(prefix.length)),
  };
};
