/** The views in a line, and a table of the views that are not live or were behind. */
import { Chart } from '../../components/chart';
import { type Column, Table } from '../../components/table';
import { countOf, durationOf } from '../../kernel/format';
import { type History, isMoving } from '../../kernel/metric-history';
import { renderTime } from '../../kernel/now';
import type { ViewRow } from '../api-types';
import { isLive, ViewState } from '../operations/view-state';
import { viewsPath } from '../paths';

/** A view that was never further behind needs no chart. */
const smallestLagSeconds = 1;

const lagOf = (history: History, { name }: ViewRow) => history.of(`lag/${name}`);

const wasBehind = (history: History, view: ViewRow): boolean => {
  const values = lagOf(history, view) ?? [];
  return isMoving(values) && values.some((value) => value !== null && value >= smallestLagSeconds);
};

const columnsFor = (history: History): readonly Column<ViewRow>[] => [
  {
    title: 'View',
    show: ({ name, why }) => (
      <>
        <span class="mono">{name}</span>
        {why !== null && <div class="below">{why}</div>}
      </>
    ),
  },
  { title: 'State', show: (view) => <ViewState view={view} /> },
  { title: 'Lag', kind: 'number', show: ({ lagSeconds }) => durationOf(lagSeconds) },
  {
    title: 'Lag over time',
    isWide: true,
    show: (view) => {
      const values = lagOf(history, view);
      if (values === undefined || !wasBehind(history, view)) return <span class="faint">—</span>;
      return (
        <Chart
          label={`Lag of ${view.name}`}
          series={[{ label: 'lag', tone: 'accent', values }]}
          from={history.from}
          stepSeconds={history.stepSeconds}
          format={durationOf}
          height={24}
        />
      );
    },
  },
];

const sentenceOf = (views: readonly ViewRow[], live: readonly ViewRow[]): string => {
  if (live.length < views.length) return `${live.length} of ${countOf(views.length, 'view')} are live.`;
  const lag = Math.max(0, ...views.map(({ lagSeconds }) => lagSeconds));
  const behind = lag < smallestLagSeconds ? 'up to date with the log' : `at most ${durationOf(lag)} behind the log`;
  return views.length === 1 ? `The view is live, ${behind}.` : `All ${views.length} views are live, ${behind}.`;
};

interface Props {
  readonly views: readonly ViewRow[];
  readonly history: History;
  /** `the last hour` */
  readonly time: string;
}

export const ViewSummary = ({ views, history, time }: Props) => {
  if (views.length === 0) return <p class="quiet">No projector has reported a view yet.</p>;
  const now = renderTime();
  const live = views.filter((view) => isLive(view, now));
  const notable = views.filter(
    (view) => !isLive(view, now) || view.lagSeconds >= smallestLagSeconds || wasBehind(history, view),
  );
  return (
    <>
      <p class="quiet" role="status">
        {sentenceOf(views, live)}
        {notable.length === 0 ? ` None was behind in ${time}.` : ''} <a href={viewsPath}>All views</a>
      </p>
      {notable.length > 0 && (
        <Table
          label="Views that are not live, or were behind"
          rows={notable.toSorted(
            (one, other) =>
              Number(isLive(one, now)) - Number(isLive(other, now)) ||
              other.lagSeconds - one.lagSeconds ||
              one.name.localeCompare(other.name),
          )}
          columns={columnsFor(history)}
          keyOf={({ name }) => name}
        />
      )}
    </>
  );
};
