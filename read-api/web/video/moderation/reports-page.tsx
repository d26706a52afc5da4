/** Reports of videos, for administrators: dismissed, or upheld by taking the video down. */
import { dismissVideoReports, listVideoReports, takeDownVideo } from '../../../../packages/client/src/operations';
import type { VideoReport } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { type ReasonedAction, RowButton, useActions } from '../../identity/shared/action-dialog';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { Person } from '../../references/person';
import type { PageProps } from '../../shell/section';
import { videoPath, videoReportsPath, videosPath } from '../paths';
import { outcomeOf, reasonLabels, stateLabels } from './report-words';

const everyMilliseconds = 15_000;

const stateOptions: readonly Option<string>[] = [
  { value: '', label: 'Open' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'upheld', label: 'Upheld' },
];

const nameOf = ({ title }: VideoReport): string => title ?? 'the video';

const dismissal = (report: VideoReport): ReasonedAction => ({
  title: 'Dismiss the reports?',
  text: (
    <>
      All open reports of <strong>{nameOf(report)}</strong>. The video stays. The reporters see the reason, too.
    </>
  ),
  act: 'Dismiss',
  success: 'The reports were dismissed.',
  command: (reason) => dismissVideoReports({ videoId: report.videoId, body: { reason } }),
});

const takedown = (report: VideoReport): ReasonedAction => ({
  title: 'Take the video down?',
  text: (
    <>
      <strong>{nameOf(report)}</strong> is deleted with its source and all that was made of it. Its reporters see the
      reason, too.
    </>
  ),
  act: 'Take down',
  isDangerous: true,
  again: 'No viewer can play it from then on, and it cannot be brought back.',
  success: 'The video was taken down.',
  command: (reason) => takeDownVideo({ videoId: report.videoId, body: { reason } }),
});

const columnsOf = (open: (action: ReasonedAction) => void): readonly Column<VideoReport>[] => [
  {
    title: 'Video',
    show: ({ videoId, title, reporterId, createdAt }) => (
      <>
        {title === null ? 'Deleted' : <a href={videoPath(videoId)}>{title}</a>}
        <div class="below narrow dotted">
          <Person id={reporterId} />
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  {
    title: 'Reason',
    show: ({ reason, text }) => (
      <>
        {reasonLabels[reason]}
        {text !== null && <div class="below">{text}</div>}
      </>
    ),
  },
  { title: 'Reporter', isWide: true, show: ({ reporterId }) => <Person id={reporterId} /> },
  { title: 'Reported', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    title: 'State',
    isWide: true,
    show: (report) => (
      <>
        <StatusBadge tone={stateLabels[report.state].tone}>{stateLabels[report.state].text}</StatusBadge>
        <div class="below">{outcomeOf(report)}</div>
      </>
    ),
  },
  {
    title: 'Actions',
    kind: 'tight',
    show: (report) =>
      report.state === 'open' && report.title !== null ? (
        <div class="actions file-actions">
          <RowButton label="Dismiss" what={`reports of ${nameOf(report)}`} onPress={() => open(dismissal(report))} />
          <RowButton label="Take down" what={nameOf(report)} isDangerous onPress={() => open(takedown(report))} />
        </div>
      ) : null,
  },
];

export const ReportsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(videoReportsPath, query, ['state']);
  const state = applied.state === '' ? 'open' : applied.state;
  const reports = usePages(listVideoReports(fromAddress({ state, limit: 50 })), { everyMilliseconds });
  const { openDialog, dialog } = useActions(reports.reload);
  return (
    <>
      <PageHeading
        title="Reports of videos"
        lead="What viewers report. A video’s open reports are resolved together."
        trail={[{ label: 'Videos', path: videosPath }]}
      />
      <search class="filters library-filters">
        <ChoiceField
          label="State"
          value={typed.state}
          options={stateOptions}
          onChoose={(wanted) => type('state', wanted)}
        />
      </search>
      <PagedTable
        pages={reports}
        label="Reports of videos"
        one="report"
        columns={columnsOf(openDialog)}
        keyOf={({ reportId }) => reportId}
        empty={
          <EmptyState title={state === 'open' ? 'No open report' : 'No such report'}>
            Viewers report a video below its player.
          </EmptyState>
        }
      />
      {dialog}
    </>
  );
};
