/** The end of what a failed step wrote: its error, as a rule. */
import type { JobLogPage, StepReport } from '../../../../packages/client/src/schemas';
import { createLogContent } from '../log/log-content';
import type { LogLine } from '../log/log-lines';

const mostLines = 10;

/** The first that failed: later steps run only where the definition demands it. */
export const failedStepOf = (steps: readonly StepReport[]): StepReport | undefined =>
  steps.find(({ status }) => status === 'failure' || status === 'timed_out');

/** When the next step began; undefined: none did, so the log ends with the failed one. */
const nextBeginOf = (steps: readonly StepReport[], failed: StepReport): string | undefined =>
  steps.find(({ number, startedAt }) => number > failed.number && startedAt !== null)?.startedAt ?? undefined;

/** `page` is the end of the log. */
export const failureLines = (page: JobLogPage, steps: readonly StepReport[]): readonly LogLine[] => {
  const failed = failedStepOf(steps);
  const until = failed === undefined ? undefined : nextBeginOf(steps, failed);
  const content = createLogContent();
  for (const chunk of page.chunks) if (until === undefined || chunk.emittedAt < until) content.append(chunk);
  const lines = content.lines();
  if (lines === undefined) return [];
  const held: LogLine[] = [];
  for (let number = lines.end() - 1; number >= lines.first() && held.length < mostLines; number -= 1) {
    const line = lines.line(number);
    if (line !== undefined && line.text.trim() !== '' && line.kind !== 'endgroup') held.unshift(line);
  }
  return held;
};
