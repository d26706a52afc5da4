/** A job's log for a page: its end first, then what is before, and each chunk as it is stored. */
import { useEffect, useState } from 'preact/hooks';
import { followJobLog, readJobLog } from '../../../../packages/client/src/operations';
import type { JobLogPage, LogEvent, RunStatus, StepReport } from '../../../../packages/client/src/schemas';
import { type Answer, read } from '../../kernel/api-client';
import { followLive } from '../../kernel/event-stream';
import type { Problem } from '../../kernel/problem';
import { signIns } from '../../kernel/session';
import { createLogContent } from './log-content';
import { createLogLines, type LogLines } from './log-lines';

export interface JobLog {
  readonly lines: LogLines;
  /** Rises when lines came. */
  readonly version: number;
  /** `unassigned`: no runner has had the attempt yet. */
  readonly state: 'loading' | 'unassigned' | 'live' | 'waiting' | 'ended';
  /** Of what is before the first line held. `full`: the page has no room for it. */
  readonly earlier: 'loading' | 'held' | 'full';
  /** Of an ended log: the runner may have sent less than it wrote. */
  readonly isWhole: boolean;
  readonly problem: Problem | undefined;
  /** That the log is of. */
  readonly attempt: number | undefined;
  readonly status: RunStatus | undefined;
  /** That the stream has reported. */
  readonly steps: readonly StepReport[];
}

interface Wanted {
  readonly jobId: string;
  /** Undefined: the latest that a runner has had. */
  readonly attempt: number | undefined;
}

/** Lines of a moment are one render. */
const renderMilliseconds = 100;

const begun = (): JobLog => ({
  lines: createLogLines(),
  version: 0,
  state: 'loading',
  earlier: 'loading',
  isWhole: true,
  problem: undefined,
  attempt: undefined,
  status: undefined,
  steps: [],
});

/** Pause before a retry of a log that does not exist yet, or cannot be read now. */
const againMilliseconds = 2_000;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, againMilliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const withStep = (steps: readonly StepReport[], step: StepReport): readonly StepReport[] =>
  [...steps.filter(({ number }) => number !== step.number), step].sort((one, other) => one.number - other.number);

export const useJobLog = ({ jobId, attempt }: Wanted): JobLog => {
  const [log, setLog] = useState<JobLog>(begun);
  const signedIn = signIns.value;
  useEffect(() => {
    const leaving = new AbortController();
    // Of the stream alone: it ends with the log, while earlier lines may still be read.
    const following = new AbortController();
    const { signal } = leaving;
    signal.addEventListener('abort', () => following.abort());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const content = createLogContent();
    setLog(begun());
    const change = (fields: Partial<JobLog>): void => {
      if (!signal.aborted) setLog((before) => ({ ...before, ...fields }));
    };
    const render = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!signal.aborted)
          setLog((before) => ({ ...before, lines: content.lines() ?? before.lines, version: before.version + 1 }));
      }, renderMilliseconds);
    };
    const onEvent = (event: LogEvent): void => {
      if (event.type === 'log_chunk') {
        content.append(event);
        render();
      } else if (event.type === 'job_status') change({ status: event.status });
      else if (event.type === 'step_status')
        setLog((before) => ({ ...before, steps: withStep(before.steps, event.step) }));
      else if (event.type === 'log_end') {
        // With its lines: an ended log without lines would read as empty.
        setLog((before) => ({
          ...before,
          lines: content.lines() ?? before.lines,
          version: before.version + 1,
          state: 'ended',
          isWhole: event.isWhole,
          problem: undefined,
        }));
        following.abort();
      }
    };
    const readEnd = async (): Promise<JobLogPage | undefined> => {
      const input = { jobId, beforeOffset: 'end', ...(attempt === undefined ? {} : { attempt }) } as const;
      for (;;) {
        const answer = await read(readJobLog(input), signal);
        if (answer.ok) return answer.content;
        if (answer.problem.status !== 404) {
          change({ problem: answer.problem, state: 'waiting' });
          return undefined;
        }
        change({ state: 'unassigned' });
        await pause(signal);
      }
    };
    const readEarlier = async ({ attempt: of, previousOffset }: JobLogPage): Promise<void> => {
      for (let before = previousOffset; before !== null; ) {
        const answer: Answer<JobLogPage> = await read(readJobLog({ jobId, beforeOffset: before, attempt: of }), signal);
        if (!answer.ok) {
          const { status } = answer.problem;
          change({ problem: answer.problem });
          // Of other refusals, none passes by itself.
          if (status !== 0 && status !== 429 && status < 500) return;
          await pause(signal);
          if (signal.aborted) return;
          continue;
        }
        change({ problem: undefined });
        if (!content.prepend(answer.content.chunks)) return change({ earlier: 'full' });
        render();
        before = answer.content.previousOffset;
      }
      change({ earlier: 'held' });
    };
    const begin = async (): Promise<void> => {
      const last = await readEnd();
      if (last === undefined) return;
      for (const chunk of last.chunks) content.append(chunk);
      change({ attempt: last.attempt });
      render();
      readEarlier(last).catch(() => undefined);
      // Also of a complete log: the stream reports whether it is whole.
      await followLive(followJobLog({ jobId, fromOffset: last.nextOffset, attempt: last.attempt }), {
        signal: following.signal,
        onEvent,
        onState: (state) => {
          if (following.signal.aborted) return;
          if (state.kind === 'waiting') change({ state: 'waiting', problem: state.problem });
          else change({ state: 'live', problem: undefined });
        },
      });
    };
    begin().catch(() => undefined);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [jobId, attempt, signedIn]);
  return log;
};
