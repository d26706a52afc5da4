/** What viewers of a log are sent, over either transport. */
import * as t from 'io-ts';
import { fieldsOf, integer, oneOf, record } from '../../../domain/kernel/codec';
import { JobId, RunId } from '../../../domain/workflow/ids';
import { StepReport } from '../../../domain/workflow/run/events';
import { RunStatus } from '../../../domain/workflow/run/status';
import { LogMessageFields } from '../../../infra/server/workflow/log-pages';

const ofAttempt = { runId: RunId, jobId: JobId, attempt: integer(1) };

const LogChunkEvent = record('LogChunkEvent', {
  type: oneOf('LogChunkType', ['log_chunk']),
  attempt: integer(1),
  ...LogMessageFields,
});
const RunStatusEvent = record('RunStatusEvent', {
  type: oneOf('RunStatusType', ['run_status']),
  runId: RunId,
  status: RunStatus,
});
const JobStatusEvent = record('JobStatusEvent', {
  type: oneOf('JobStatusType', ['job_status']),
  ...ofAttempt,
  status: RunStatus,
});
/** As runners report it; of what is answered more fields may come. */
const LogStep = record('LogStep', fieldsOf(StepReport));
const StepStatusEvent = record('StepStatusEvent', {
  type: oneOf('StepStatusType', ['step_status']),
  ...ofAttempt,
  step: LogStep,
});
/** No chunk follows. `isWhole`: the runner sent the number of chunks, and all of them were sent. */
const LogEndEvent = record('LogEndEvent', {
  type: oneOf('LogEndType', ['log_end']),
  ...ofAttempt,
  chunks: integer(0),
  isWhole: t.boolean,
});

export const LogEvent = t.union(
  [LogChunkEvent, RunStatusEvent, JobStatusEvent, StepStatusEvent, LogEndEvent],
  'LogEvent',
);
export type LogEvent = t.TypeOf<typeof LogEvent>;
