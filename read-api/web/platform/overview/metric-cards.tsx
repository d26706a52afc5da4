/** The platform's metrics as cards: live values of the processes' last samples, charts of the recorded history. */
import { bytesOf, numberOf, percentOf, rateOf } from '../../kernel/format';
import type { Overview } from '../api-types';
import type { History } from './history';
import { type CardSeries, MetricCard } from './metric-card';

interface Props {
  readonly overview: Overview;
  readonly history: History;
  /** The latest value by series; empty where the processes' health is not known. */
  readonly recent: ReadonlyMap<string, number>;
  readonly empty: string;
}

type Format = (value: number) => string;

const perMinute: Format = (value) => `${numberOf(Math.round(value * 60 * 10) / 10)}/min`;

const storeNames: { readonly [store: string]: string } = {
  log: 'Log',
  postgres: 'Postgres',
  elasticsearch: 'Elasticsearch',
  redis: 'Redis',
};

const lastOf = (values: CardSeries['values']): number | undefined =>
  values?.findLast((value): value is number => value !== null);

const formatted = (value: number | undefined, format: Format): string | undefined =>
  value === undefined ? undefined : format(value);

export const ActivityCards = ({ overview, history, recent, empty }: Props) => {
  const latest = (series: string): number | undefined => recent.get(series) ?? lastOf(history.of(series));
  const one = (label: string, series: string, tone: CardSeries['tone'] = 'accent'): CardSeries => ({
    label,
    tone,
    values: history.of(series),
  });
  const queued = overview.queues?.reduce((sum, { waiting, delayed }) => sum + waiting + delayed, 0);
  const dead = overview.queues?.reduce((sum, queue) => sum + queue.dead, 0);
  const around = { history, empty };
  return (
    <ul class="metrics">
      <MetricCard
        {...around}
        title="Commands"
        path="/console/live"
        value={formatted(latest('commands'), rateOf)}
        series={[one('all', 'commands'), one('failed', 'commands-failed', 'bad')]}
        format={rateOf}
      />
      <MetricCard
        {...around}
        title="Rate limit decisions"
        value={formatted(latest('decisions'), rateOf)}
        series={[one('all', 'decisions'), one('refused', 'refusals', 'bad')]}
        format={rateOf}
      />
      <MetricCard
        {...around}
        title="Stream clients"
        path="/console/streams"
        value={formatted(latest('stream-clients'), numberOf)}
        series={[one('connected', 'stream-clients')]}
        format={(value) => numberOf(Math.round(value))}
      />
      <MetricCard
        {...around}
        title="Sign-ins"
        path="/console/sessions"
        value={formatted(latest('sessions-opened'), perMinute)}
        series={[one('sessions opened', 'sessions-opened'), one('failed', 'sign-ins-failed', 'bad')]}
        format={perMinute}
      />
      <MetricCard
        {...around}
        title="Queued jobs"
        path="/console/jobs"
        value={formatted(queued, numberOf)}
        series={[{ label: 'waiting', tone: 'accent', values: history.sumOf('waiting/') }]}
        format={numberOf}
      />
      <MetricCard
        {...around}
        title="Dead letters"
        path="/console/dead-letters"
        value={formatted(dead, numberOf)}
        series={[{ label: 'dead', tone: 'bad', values: history.sumOf('dead/') }]}
        format={numberOf}
      />
    </ul>
  );
};

const namesBelow = (prefix: string, { history, recent }: Pick<Props, 'history' | 'recent'>): readonly string[] => [
  ...new Set([
    ...history.namesOf(prefix),
    ...[...recent.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  ]),
];

export const StoreCards = ({ history, recent, empty }: Omit<Props, 'overview'>) => {
  const card = (prefix: string, name: string, title: string, format: Format) => {
    const values = history.of(`${prefix}${name}`);
    return (
      <MetricCard
        key={title}
        title={title}
        path="/console/health"
        value={formatted(recent.get(`${prefix}${name}`) ?? lastOf(values), format)}
        series={[{ label: 'used', tone: 'accent', values }]}
        history={history}
        format={format}
        empty={empty}
      />
    );
  };
  const stores = namesBelow('store-bytes/', { history, recent });
  const disks = namesBelow('disk-used/', { history, recent });
  if (stores.length + disks.length === 0) return <p class="notice">{empty}</p>;
  return (
    <ul class="metrics">
      {stores.map((store) => card('store-bytes/', store, storeNames[store] ?? store, bytesOf))}
      {disks.map((disk) => card('disk-used/', disk, 'Disk', percentOf))}
    </ul>
  );
};
