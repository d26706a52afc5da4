/** Below a video that is watched: reports it, or shows the outcome of the reader’s report. */
import { useState } from 'preact/hooks';
import { listOwnVideoReports } from '../../../../packages/client/src/operations';
import { useResource } from '../../kernel/use-resource';
import { ownReportsPath } from '../paths';
import { ReportDialog } from './report-dialog';
import { outcomeOf } from './report-words';

interface Props {
  readonly videoId: string;
  readonly link: string | null;
}

export const Report = ({ videoId, link }: Props) => {
  const reports = useResource(listOwnVideoReports({ videoId, limit: 1 }));
  const [isReporting, setReporting] = useState(false);
  const [isReported, setReported] = useState(false);
  const [latest] = reports.content?.items ?? [];
  const outcome = latest === undefined ? undefined : outcomeOf(latest);
  if (isReported || latest?.state === 'open')
    return (
      <span>
        You reported it. <a href={ownReportsPath}>Your reports</a>
      </span>
    );
  return (
    <>
      {outcome !== undefined && (
        <span>
          Your report: {outcome} <a href={ownReportsPath}>Your reports</a>
        </span>
      )}
      <button type="button" class="button quiet small" onClick={() => setReporting(true)}>
        Report
      </button>
      {isReporting && (
        <ReportDialog {...{ videoId, link }} onDone={() => setReported(true)} close={() => setReporting(false)} />
      )}
    </>
  );
};
