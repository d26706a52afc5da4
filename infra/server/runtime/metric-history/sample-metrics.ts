/** Samples of one process: rates since the sample before, and levels as they are. */
import type { Registry } from 'prom-client';
import type { MetricSample } from '../../../ports/runtime/metric-history';
import { type RecordedSeries, recordedSeries } from './recorded-series';

export interface MetricSampler {
  /** `seconds` since the sample before. */
  readonly sample: (seconds: number) => Promise<readonly MetricSample[]>;
  /** The last samples; none before the first interval ended. */
  readonly recent: () => readonly MetricSample[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Partial<Record<string, string | number>>;
  readonly metricName?: string;
}

/** A histogram counts in one of its values. */
const isCounted = ({ metricName }: MetricValue, metric: string): boolean =>
  metricName === undefined || metricName === metric || metricName === `${metric}_count`;

const seriesOf = ({ series, by }: RecordedSeries, labels: MetricValue['labels']): string =>
  by === undefined ? series : `${series}/${String(labels[by])}`;

/** Values that count, by the series' name. A series that is not split is 0 before its first value. */
const totalsOf = (spec: RecordedSeries, values: readonly MetricValue[]): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>(spec.by === undefined ? [[spec.series, 0]] : []);
  for (const one of values) {
    const labels = Object.fromEntries(Object.entries(one.labels).map(([name, value]) => [name, String(value)]));
    const isWanted = isCounted(one, spec.metric) && Number.isFinite(one.value) && (spec.where?.(labels) ?? true);
    if (!isWanted) continue;
    const series = seriesOf(spec, one.labels);
    totals.set(series, (totals.get(series) ?? 0) + one.value);
  }
  return totals;
};

export const createMetricSampler = (registry: Registry): MetricSampler => {
  const countsBefore = new Map<string, number>();
  let latest: readonly MetricSample[] = [];
  const samplesOf = async (spec: RecordedSeries, seconds: number): Promise<readonly MetricSample[]> => {
    const metric = registry.getSingleMetric(spec.metric);
    if (metric === undefined) return [];
    const { values } = await metric.get();
    return [...totalsOf(spec, values)].map(([series, total]) => {
      const { merge } = spec;
      if (spec.kind === 'level') return { series, value: total, merge };
      const key = `${spec.metric} ${series}`;
      const increase = total - (countsBefore.get(key) ?? 0);
      countsBefore.set(key, total);
      return { series, value: increase / seconds, merge };
    });
  };
  return {
    sample: async (seconds) => {
      latest = (await Promise.all(recordedSeries.map((spec) => samplesOf(spec, seconds)))).flat();
      return latest;
    },
    recent: () => latest,
  };
};
