/** Metrics as cards with a chart where there is movement, and in one line where there is none. */
import { clockTimeOf } from '../kernel/format';
import { type History, isMoving, latestOf, type Values } from '../kernel/metric-history';
import { Chart, type ChartTone } from './chart';

export interface CardSeries {
  readonly label: string;
  readonly tone: ChartTone;
  /** Undefined: nothing recorded it. */
  readonly values: Values | undefined;
}

export interface Metric {
  readonly title: string;
  /** As of now; undefined: the latest of the first series. */
  readonly value?: number | undefined;
  readonly path?: string;
  readonly series: readonly CardSeries[];
  readonly format: (value: number) => string;
}

const valueTextOf = ({ value, series, format }: Metric): string | undefined => {
  const latest = value ?? latestOf(series[0]?.values);
  return latest === undefined ? undefined : format(latest);
};

const Title = ({ title, path }: Pick<Metric, 'title' | 'path'>) =>
  path === undefined ? title : <a href={path}>{title}</a>;

const MetricCard = ({ metric, history }: { readonly metric: Metric; readonly history: History }) => {
  const { title, series, format } = metric;
  const known = series.flatMap(({ values, ...one }) => (values === undefined ? [] : [{ ...one, values }]));
  return (
    <li class="metric">
      <h3>
        <Title {...metric} />
      </h3>
      <p class="metric-value">{valueTextOf(metric) ?? '—'}</p>
      <Chart label={title} series={known} from={history.from} stepSeconds={history.stepSeconds} format={format} />
    </li>
  );
};

const isCharted = ({ series }: Metric): boolean => series.some(({ values }) => isMoving(values));
const isRecorded = ({ series }: Metric): boolean => series.some(({ values }) => values !== undefined);

const secondsOf = (milliseconds: number): string => {
  const [time = ''] = clockTimeOf(new Date(milliseconds).toISOString()).split('.');
  return time;
};

/** What happened since the last measurement is not in it yet, nor what happened before the first one. */
const unchangedIn = (
  metrics: readonly Metric[],
  { from, firstRecordAt, stepSeconds }: History,
  time: string,
): string => {
  const since = firstRecordAt === undefined ? `in ${time}` : `since the first record at ${secondsOf(firstRecordAt)}`;
  const values = metrics.flatMap(({ series }) =>
    series.flatMap((one) => (one.values === undefined ? [] : [one.values])),
  );
  const measured = Math.max(0, ...values.map((one) => one.findLastIndex((value) => value !== null) + 1));
  const until = measured === 0 ? '' : `, until ${secondsOf(from + measured * stepSeconds * 1_000)}`;
  return `Unchanged ${since}${until}:`;
};

interface QuietProps {
  readonly label: string;
  readonly metrics: readonly Metric[];
}

const Quiet = ({ label, metrics }: QuietProps) =>
  metrics.length === 0 ? null : (
    <div class="quiet">
      <span>{label}</span>
      <ul>
        {metrics.map((metric) => (
          <li key={metric.title}>
            <Title {...metric} /> {valueTextOf(metric)}
          </li>
        ))}
      </ul>
    </div>
  );

interface Props {
  readonly metrics: readonly Metric[];
  readonly history: History;
  /** `the last hour` */
  readonly time: string;
}

export const MetricCards = ({ metrics, history, time }: Props) => {
  const charted = metrics.filter(isCharted);
  const quiet = metrics.filter((metric) => !isCharted(metric) && valueTextOf(metric) !== undefined);
  return (
    <>
      {charted.length > 0 && (
        <ul class="metrics">
          {charted.map((metric) => (
            <MetricCard key={metric.title} metric={metric} history={history} />
          ))}
        </ul>
      )}
      <Quiet label={unchangedIn(quiet, history, time)} metrics={quiet.filter(isRecorded)} />
      <Quiet label="Now:" metrics={quiet.filter((metric) => !isRecorded(metric))} />
    </>
  );
};
