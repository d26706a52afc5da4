/** The live stream of a job's log. The served document describes it as an event stream, so its events are typed here. */
import { followJobLog, type StreamRequest } from '../../../../packages/client/src/operations';
import type { LogMessage, RunStatus, StepReport } from '../../../../packages/client/src/schemas';

export type LogEvent =
  | ({ readonly type: 'log_chunk'; readonly attempt: number } & LogMessage)
  | { readonly type: 'run_status'; readonly status: RunStatus }
  | { readonly type: 'job_status'; readonly status: RunStatus }
  | { readonly type: 'step_status'; readonly step: StepReport }
  /** `isWhole`: every chunk that the runner wrote was stored. */
  | { readonly type: 'log_end'; readonly isWhole: boolean };

/** The client follows streams whose path has no parameters, so the path of the request names the job. */
export const followLog = ({ jobId, ...input }: Parameters<typeof followJobLog>[0]): StreamRequest<LogEvent> => ({
  row: {
    ...followJobLog.row,
    kind: 'stream',
    path: followJobLog.row.path.replace('{jobId}', encodeURIComponent(jobId)),
    answers: { 200: 'anything' },
  },
  input,
});
