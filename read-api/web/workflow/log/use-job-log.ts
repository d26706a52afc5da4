/** A job's log for a page: what is stored in pages, then each chunk as it is stored, every one once. */
import { useEffect, useState } from 'preact/hooks';
import { readJobLog } from '../../../../packages/client/src/operations';
import type { LogMessage, RunStatus, StepReport } from '../../../../packages/client/src/schemas';
import { read } from '../../kernel/api-client';
import { followLive } from '../../kernel/event-stream';
import type { Problem } from '../../kernel/problem';
import { signIns } from '../../kernel/session';
import { followLog, type LogEvent } from './log-events';
import { createLogLines, type LogLines } from './log-lines';

export interface JobLog {
  readonly lines: LogLines;
  /** Rises when lines came. */
  readonly version: number;
  /** `unassigned`: no runner has had the attempt yet. */
  readonly state: 'loading' | 'unassigned' | 'live' | 'waiting' | 'ended';
  /** Of an ended log: the runner may have sent less than it wrote. */
  readonly isWhole: boolean;
  readonly problem: Problem | undefined;
  readonly status: RunStatus | undefined;
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
  ...{ lines: createLogLines(), version: 0, state: 'loading', isWhole: true },
  ...{ problem: undefined, status: undefined, steps: [] },
});

const unassignedMilliseconds = 2_000;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, unassignedMilliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A mark of bytes that are missing between two chunks. */
const gapMark = (bytes: number): string => `\n\x1b[7m… ${bytes} bytes are left out …\x1b[0m\n`;

/** Adds chunks in order, each once. */
const chunkReader = (lines: LogLines) => {
  let next = 0;
  let byte = 0;
  return {
    next: () => next,
    take: ({ chunkOffset, byteOffsetStart, byteOffsetEnd, text }: LogMessage): void => {
      if (chunkOffset < next) return;
      if (byteOffsetStart > byte) lines.add(gapMark(byteOffsetStart - byte));
      lines.add(text);
      next = chunkOffset + 1;
      byte = byteOffsetEnd;
    },
  };
};

const withStep = (steps: readonly StepReport[], step: StepReport): readonly StepReport[] =>
  [...steps.filter(({ number }) => number !== step.number), step].sort((one, other) => one.number - other.number);

export const useJobLog = ({ jobId, attempt }: Wanted): JobLog => {
  const [log, setLog] = useState<JobLog>(begun);
  const signedIn = signIns.value;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The stream is aborted at the log's end too, while the page stays.
    let isGone = false;
    const first = begun();
    const chunks = chunkReader(first.lines);
    setLog(first);
    const change = (fields: Partial<JobLog>): void => {
      if (!isGone) setLog((before) => ({ ...before, ...fields }));
    };
    const render = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setLog((before) => (isGone ? before : { ...before, version: before.version + 1 }));
      }, renderMilliseconds);
    };
    const onEvent = (event: LogEvent): void => {
      if (event.type === 'log_chunk') {
        chunks.take(event);
        render();
      } else if (event.type === 'job_status') change({ status: event.status });
      else if (event.type === 'step_status')
        setLog((before) => ({ ...before, steps: withStep(before.steps, event.step) }));
      else if (event.type === 'log_end') {
        render();
        change({ state: 'ended', isWhole: event.isWhole, problem: undefined });
        leaving.abort();
      }
    };
    const begin = async (): Promise<void> => {
      let of = attempt;
      for (;;) {
        const input = { jobId, fromOffset: chunks.next(), ...(of === undefined ? {} : { attempt: of }) };
        const answer = await read(readJobLog(input), signal);
        if (!answer.ok && answer.problem.status !== 404) return change({ problem: answer.problem, state: 'waiting' });
        if (!answer.ok) {
          change({ state: 'unassigned' });
          await pause(signal);
          continue;
        }
        for (const chunk of answer.content.chunks) chunks.take(chunk);
        render();
        of = answer.content.attempt;
        if (answer.content.complete || answer.content.chunks.length === 0) break;
      }
      // Also of a complete log: the stream says whether it is whole, and how each step ended.
      await followLive(followLog({ jobId, fromOffset: chunks.next(), attempt: of }), {
        signal,
        onEvent,
        onState: (state) => {
          if (state.kind === 'waiting') change({ state: 'waiting', problem: state.problem });
          else change({ state: 'live', problem: undefined });
        },
      });
    };
    begin().catch(() => undefined);
    return () => {
      isGone = true;
      leaving.abort();
      clearTimeout(timer);
    };
  }, [jobId, attempt, signedIn]);
  return log;
};
