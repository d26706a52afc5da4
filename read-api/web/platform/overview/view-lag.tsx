/** Lag of every view, the slowest first. */
import { Chart } from '../../components/chart';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { durationOf } from '../../kernel/format';
import type { ViewRow } from '../api-types';
import type { History } from './history';

const stateColumn: Column<ViewRow> = {
  title: 'State',
  show: ({ phase }) => <StatusBadge tone={phase === 'live' ? 'good' : 'warn'}>{phase}</StatusBadge>,
};

const chartColumn = (history: History): Column<ViewRow> => ({
  title: 'Over time',
  isWide: true,
  show: ({ name }) => {
    const values = history.of(`lag/${name}`);
    if (values === undefined) return <span class="faint">—</span>;
    return (
      <Chart
        label={`Lag of ${name}`}
        series={[{ label: 'lag', tone: 'accent', values }]}
        from={history.from}
        stepSeconds={history.stepSeconds}
        format={durationOf}
        height={24}
      />
    );
  },
});

export const ViewLag = ({ views, history }: { readonly views: readonly ViewRow[]; readonly history: History }) => (
  <Table
    label="Lag of views"
    rows={views.toSorted((one, other) => other.lagSeconds - one.lagSeconds || one.name.localeCompare(other.name))}
    columns={[
      { title: 'View', show: ({ name }) => <span class="mono">{name}</span> },
      stateColumn,
      { title: 'Lag', kind: 'number', show: ({ lagSeconds }) => durationOf(lagSeconds) },
      chartColumn(history),
    ]}
    keyOf={({ name }) => name}
  />
);
