/** Series of the recorded history of metrics by name, as charts take them. */
import type { PlatformOverview } from '../../../packages/client/src/schemas';

export type Values = readonly (number | null)[];

export interface History {
  readonly from: number;
  /** Milliseconds since 1970 of the first record, where it is later than the time that was read; otherwise undefined. */
  readonly firstRecordAt: number | undefined;
  readonly stepSeconds: number;
  /** Undefined: nothing recorded it. */
  readonly of: (series: string) => Values | undefined;
  /**
   * Of a rate, the mean of the minute that ends with each step. The rate of one step of 15 seconds would show one event as four in a minute.
   */
  readonly minuteMeanOf: (series: string) => Values | undefined;
  /** The sum of all series below a name, such as `waiting/`. */
  readonly sumOf: (prefix: string) => Values | undefined;
  readonly namesOf: (prefix: string) => readonly string[];
}

const add = (one: Values, other: Values): Values =>
  one.map((value, index) => {
    const next = other[index] ?? null;
    return value === null ? next : next === null ? value : value + next;
  });

const minuteSeconds = 60;

/** Steps that were not recorded count as none: what is shown is never more than what was counted. */
const minuteMeans = (values: Values, stepSeconds: number): Values => {
  const steps = Math.max(1, Math.round(minuteSeconds / stepSeconds));
  return values.map((value, index) =>
    value === null
      ? null
      : values.slice(Math.max(0, index - steps + 1), index + 1).reduce<number>((sum, one) => sum + (one ?? 0), 0) /
        steps,
  );
};

type Recorded = PlatformOverview['history'];

/** Ten minutes of the last hour: less would stretch a few samples over a chart. */
const leastSteps = 40;

/** A reading may begin between two records. */
const firstSteps = 2;

const firstRecordOf = ({ from, stepSeconds, series }: Recorded): number | undefined => {
  const firsts = series.map(({ values }) => values.findIndex((value) => value !== null)).filter((index) => index >= 0);
  const first = Math.min(...firsts);
  return Number.isFinite(first) && first >= firstSteps ? Date.parse(from) + first * stepSeconds * 1_000 : undefined;
};

/** Without the time before anything was recorded: a fresh installation's charts begin with it. */
const sinceFirstRecord = ({ from, stepSeconds, series }: Recorded): Pick<Recorded, 'from' | 'series'> => {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const firsts = series.map(({ values }) => values.findIndex((value) => value !== null)).filter((index) => index >= 0);
  const begin = Math.max(0, Math.min(length - leastSteps, ...firsts));
  return {
    from: new Date(Date.parse(from) + begin * stepSeconds * 1_000).toISOString(),
    series: series.map(({ name, values }) => ({ name, values: values.slice(begin) })),
  };
};

export const historyOf = ({ history }: Pick<PlatformOverview, 'history'>): History => {
  const { stepSeconds } = history;
  const { from, series } = sinceFirstRecord(history);
  const byName = new Map(series.map(({ name, values }) => [name, values]));
  const below = (prefix: string) => series.filter(({ name }) => name.startsWith(prefix));
  return {
    from: Date.parse(from),
    firstRecordAt: firstRecordOf(history),
    stepSeconds,
    of: (name) => byName.get(name),
    minuteMeanOf: (name) => {
      const values = byName.get(name);
      return values === undefined ? undefined : minuteMeans(values, stepSeconds);
    },
    sumOf: (prefix) => {
      const [first, ...others] = below(prefix).map(({ values }) => values);
      return first === undefined ? undefined : others.reduce(add, first);
    },
    namesOf: (prefix) => below(prefix).map(({ name }) => name.slice(prefix.length)),
  };
};

const isNumber = (value: number | null): value is number => value !== null;

export const latestOf = (values: Values | undefined): number | undefined => values?.findLast(isNumber);

/** Of the highest value: less is a flat line. */
const smallestMovement = 0.01;

/** Whether a chart of the values shows more than a flat line. */
export const isMoving = (values: Values | undefined): boolean => {
  const known = values?.filter(isNumber) ?? [];
  const highest = known.reduce((before, value) => Math.max(before, value), 0);
  const lowest = known.reduce((before, value) => Math.min(before, value), highest);
  return highest - lowest > highest * smallestMovement;
};
