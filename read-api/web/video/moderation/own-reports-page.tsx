/** The reader’s reports of videos, and what became of them. */
import { listOwnVideoReports } from '../../../../packages/client/src/operations';
import type { OwnVideoReport } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { usePages } from '../../kernel/use-pages';
import { videosPath, watchPath } from '../paths';
import { outcomeOf, reasonLabels, stateLabels } from './report-words';

const everyMilliseconds = 15_000;

const columns: readonly Column<OwnVideoReport>[] = [
  {
    title: 'Video',
    show: ({ videoId, title, reason, createdAt }) => (
      <>
        {title === null ? 'No longer there for you' : <a href={watchPath(videoId)}>{title}</a>}
        <div class="below narrow dotted">
          <span>{reasonLabels[reason]}</span>
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  {
    title: 'Reason',
    isWide: true,
    show: ({ reason, text }) => (
      <>
        {reasonLabels[reason]}
        {text !== null && <div class="below">{text}</div>}
      </>
    ),
  },
  {
    title: 'State',
    show: (report) => {
      const { tone, text } = stateLabels[report.state];
      return (
        <>
          <StatusBadge tone={tone}>{text}</StatusBadge>
          <div class="below">{outcomeOf(report)}</div>
        </>
      );
    },
  },
  { title: 'Reported', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

export const OwnReportsPage = () => (
  <>
    <PageHeading
      title="Your reports"
      lead="Videos that you reported, and what became of that."
      trail={[{ label: 'Videos', path: videosPath }]}
    />
    <PagedTable
      pages={usePages(listOwnVideoReports({ limit: 50 }), { everyMilliseconds })}
      label="Your reports"
      one="report"
      columns={columns}
      keyOf={({ reportId }) => reportId}
      empty={<EmptyState title="No report yet">A video is reported below its player.</EmptyState>}
    />
  </>
);
