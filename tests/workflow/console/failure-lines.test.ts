/** Which lines of a log a run's page shows of a step that failed. */
import assert from 'node:assert/strict';
import type { JobLogPage, LogMessage, StepReport } from '../../../packages/client/src/schemas';
import { failedStepOf, failureLines } from '../../../read-api/web/workflow/runs/failure-lines';

const second = (count: number): string => `2026-11-29T10:00:${String(count).padStart(2, '0')}.000Z`;

const step = (number: number, status: StepReport['status'], from: number | null): StepReport => ({
  stepId: `step-${number}`,
  number,
  name: `Step ${number}`,
  status,
  exitCode: status === 'success' ? 0 : 1,
  startedAt: from === null ? null : second(from),
  completedAt: from === null ? null : second(from + 1),
});

/** Chunks of one byte a character, each emitted at its second. */
const pageOf = (chunks: readonly (readonly [at: number, text: string])[]): JobLogPage => {
  let whole = '';
  const messages = chunks.map(([at, text], chunkOffset): LogMessage => {
    const byteOffsetStart = whole.length;
    const lineStart = whole.split('\n').length - 1;
    whole += text;
    const range = { byteOffsetStart, byteOffsetEnd: whole.length };
    return { runId: 'run', jobId: 'job', chunkOffset, ...range, lineStart, text, emittedAt: second(at) };
  });
  const counts = { chunkCount: chunks.length, byteCount: whole.length, lineCount: whole.split('\n').length - 1 };
  return { attempt: 1, chunks: messages, nextOffset: chunks.length, complete: true, previousOffset: null, ...counts };
};

const linesOf = (page: JobLogPage, steps: readonly StepReport[]): readonly (readonly [number, string])[] =>
  failureLines(page, steps).map(({ number, text }) => [number, text]);

describe('the lines of a failed step', () => {
  it('are the last of the log, by their numbers, without empty ones and ends of groups', () => {
    const page = pageOf([[1, '##[group]Run make\nmake\n##[endgroup]\n\nerror: no rule\n##[error]It failed.\n']]);
    assert.deepEqual(linesOf(page, [step(1, 'failure', 1)]), [
      [1, '##[group]Run make'],
      [2, 'make'],
      [5, 'error: no rule'],
      [6, '##[error]It failed.'],
    ]);
  });

  it('are ten at most', () => {
    const page = pageOf([[1, Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join('')]]);
    const lines = linesOf(page, [step(1, 'failure', 1)]);
    assert.deepEqual([lines.length, lines[0]?.[0], lines.at(-1)?.[1]], [10, 31, 'line 40']);
  });

  it('end where the next step began, which ran after the failure', () => {
    const steps = [step(1, 'success', 1), step(2, 'failure', 3), step(3, 'skipped', null), step(4, 'success', 8)];
    const page = pageOf([
      [1, 'built\n'],
      [3, 'tests fail\n'],
      [8, 'cleaned up\n'],
    ]);
    assert.deepEqual(linesOf(page, steps), [
      [1, 'built'],
      [2, 'tests fail'],
    ]);
    assert.equal(failedStepOf(steps)?.number, 2);
  });

  it('are the end of the log where no step is known, and none where nothing was written', () => {
    assert.deepEqual(linesOf(pageOf([[1, 'lost\n']]), []), [[1, 'lost']]);
    assert.deepEqual(linesOf(pageOf([]), [step(1, 'timed_out', 1)]), []);
    assert.equal(failedStepOf([step(1, 'success', 1), step(2, 'timed_out', 2)])?.number, 2);
  });
});
