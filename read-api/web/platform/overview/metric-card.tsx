/** A metric with its latest value, its chart, and the page that shows more. */
import { Chart, type ChartTone } from '../../components/chart';
import type { History } from './history';

export interface CardSeries {
  readonly label: string;
  readonly tone: ChartTone;
  readonly values: readonly (number | null)[] | undefined;
}

interface Props {
  readonly title: string;
  /** As of now; undefined: not known. */
  readonly value: string | undefined;
  readonly path?: string;
  readonly series: readonly CardSeries[];
  readonly history: History;
  readonly format: (value: number) => string;
  /** Why there is no chart. */
  readonly empty: string;
}

export const MetricCard = ({ title, value, path, series, history, format, empty }: Props) => {
  const known = series.flatMap(({ values, ...one }) => (values === undefined ? [] : [{ ...one, values }]));
  return (
    <li class="metric">
      <h3>{path === undefined ? title : <a href={path}>{title}</a>}</h3>
      <p class="metric-value">{value ?? '—'}</p>
      {known.length === 0 ? (
        <p class="help">{empty}</p>
      ) : (
        <Chart label={title} series={known} from={history.from} stepSeconds={history.stepSeconds} format={format} />
      )}
    </li>
  );
};
