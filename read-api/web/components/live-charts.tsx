/** Charts of a service's own page, for operators of the platform: metrics are of all tenants. */
import { useMetricHistory } from '../kernel/use-metric-history';
import { type CardSeries, type Metric, MetricCards } from './metric-card';

/** A series by its recorded name. */
interface NamedSeries extends Pick<CardSeries, 'label' | 'tone'> {
  readonly series: string;
}

export interface LiveMetric extends Pick<Metric, 'title' | 'path' | 'format'> {
  readonly series: readonly NamedSeries[];
  /** Of events so few that they are shown by the minute. */
  readonly isByMinute?: true;
}

export const LiveCharts = ({ metrics }: { readonly metrics: readonly LiveMetric[] }) => {
  const history = useMetricHistory();
  if (history === undefined) return null;
  const recorded = metrics.filter(({ series }) => series.some(({ series: name }) => history.of(name) !== undefined));
  if (recorded.length === 0) return null;
  return (
    <section class="section">
      <div class="section-head">
        <h2>In the last hour</h2>
        <span class="faint">Metrics of all tenants together</span>
      </div>
      <MetricCards
        metrics={recorded.map(({ series, isByMinute = false, ...metric }) => ({
          ...metric,
          series: series.map(({ series: name, ...one }) => ({
            ...one,
            values: isByMinute ? history.minuteMeanOf(name) : history.of(name),
          })),
        }))}
        history={history}
        time="the last hour"
      />
    </section>
  );
};
