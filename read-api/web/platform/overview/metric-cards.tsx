/** The platform's metrics: live values of the processes' last samples, charts of the recorded history. */
import { type CardSeries, type Metric, MetricCards } from '../../components/metric-card';
import { bytesOf, numberOf, percentOf, perMinuteOf, rateOf } from '../../kernel/format';
import type { History } from '../../kernel/metric-history';
import type { Overview } from '../api-types';

interface Props {
  readonly overview: Overview;
  readonly history: History;
  /** The latest value by series; empty where the processes' health is not known. */
  readonly recent: ReadonlyMap<string, number>;
  /** `the last hour` */
  readonly time: string;
}

const storeNames: { readonly [store: string]: string } = {
  log: 'Log',
  postgres: 'Postgres',
  elasticsearch: 'Elasticsearch',
  redis: 'Redis',
};

const activityOf = ({ overview, history, recent }: Props): readonly Metric[] => {
  const one = (label: string, series: string, tone: CardSeries['tone'] = 'accent'): CardSeries => ({
    label,
    tone,
    values: history.of(series),
  });
  const byMinute = (...[label, series, tone]: Parameters<typeof one>): CardSeries => ({
    ...one(label, series, tone),
    values: history.minuteMeanOf(series),
  });
  return [
    {
      title: 'Commands',
      path: '/console/live',
      value: recent.get('commands'),
      series: [one('all', 'commands'), one('failed', 'commands-failed', 'bad')],
      format: rateOf,
    },
    {
      title: 'Rate limit decisions',
      path: '/console/rate-limits',
      value: recent.get('decisions'),
      series: [one('all', 'decisions'), one('refused', 'refusals', 'bad')],
      format: rateOf,
    },
    {
      title: 'Stream clients',
      path: '/console/live',
      value: recent.get('stream-clients'),
      series: [one('connected', 'stream-clients')],
      format: (value) => numberOf(Math.round(value)),
    },
    {
      title: 'Sign-ins',
      path: '/console/access',
      // Of the last 15 seconds; only where no minute was recorded.
      value: history.of('sessions-opened') === undefined ? recent.get('sessions-opened') : undefined,
      series: [byMinute('sessions opened', 'sessions-opened'), byMinute('failed', 'sign-ins-failed', 'bad')],
      format: perMinuteOf,
    },
    {
      title: 'Queued jobs',
      path: '/console/jobs',
      value: overview.queues?.reduce((sum, { waiting, delayed }) => sum + waiting + delayed, 0),
      series: [{ label: 'waiting', tone: 'accent', values: history.sumOf('waiting/') }],
      format: numberOf,
    },
    {
      title: 'Dead letters',
      path: '/console/dead-letters',
      value: overview.queues?.reduce((sum, { dead }) => sum + dead, 0),
      series: [{ label: 'dead', tone: 'bad', values: history.sumOf('dead/') }],
      format: numberOf,
    },
  ];
};

export const ActivityCards = (props: Props) => (
  <MetricCards metrics={activityOf(props)} history={props.history} time={props.time} />
);

const namesBelow = (prefix: string, { history, recent }: Pick<Props, 'history' | 'recent'>): readonly string[] => [
  ...new Set([
    ...history.namesOf(prefix),
    ...[...recent.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  ]),
];

export const StoreCards = ({ history, recent, time }: Omit<Props, 'overview'>) => {
  const metric = (series: string, title: string, format: Metric['format']): Metric => ({
    title,
    path: '/console/health',
    value: recent.get(series),
    series: [{ label: 'used', tone: 'accent', values: history.of(series) }],
    format,
  });
  const metrics = [
    ...namesBelow('store-bytes/', { history, recent }).map((store) =>
      metric(`store-bytes/${store}`, storeNames[store] ?? store, bytesOf),
    ),
    ...namesBelow('disk-used/', { history, recent }).map((disk) => metric(`disk-used/${disk}`, 'Disk', percentOf)),
  ];
  if (metrics.length === 0) return <p class="notice">The size of each store is measured every 15 seconds.</p>;
  return <MetricCards metrics={metrics} history={history} time={time} />;
};
