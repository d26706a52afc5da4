/** The report of a job, small enough to be recorded: the service writes it as one event of at most 512 KiB, and refuses it else. */
import type { CompleteJob } from '../../../../domain/workflow/protocol/runner';
import { cut } from './step-output';

const mostBytes = 450 * 1_024;
const mostStepBytes = 180 * 1_024;
/** Of the outputs of a job: dependent jobs read them with every expression. */
export const mostOutputBytes = 192 * 1_024;
/** Annotations leave so much for the summary. */
const summaryBytes = 48 * 1_024;
/** Of names of steps, where all of them together are too large. */
const shortName = 20;
const summaryMark = '\n\n*The rest of the summary is left out.*\n';

/** As JSON: characters that are escaped there count as what they become. */
export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const fitSummary = (summary: string, room: number): string | null => {
  if (sizeOf(summary) <= room) return summary;
  let text = summary;
  for (let size = sizeOf(text); text !== '' && size > room - summaryMark.length; size = sizeOf(text))
    text = text.slice(0, Math.floor(text.length * Math.min(0.9, room / size))).toWellFormed();
  return text === '' ? null : `${text}${summaryMark}`;
};

/** The first annotations and the beginning of the summary stay. */
export const fitReport = (report: CompleteJob): CompleteJob => {
  const steps =
    sizeOf(report.steps) <= mostStepBytes
      ? report.steps
      : report.steps.map((step) => ({ ...step, name: cut(step.name, shortName) }));
  let room = mostBytes - sizeOf({ ...report, steps, annotations: [], summary: null });
  const reserved = report.summary === null ? 0 : Math.min(summaryBytes, sizeOf(report.summary));
  const annotations = report.annotations.filter((annotation) => {
    const size = sizeOf(annotation) + 1;
    if (size > room - reserved) return false;
    room -= size;
    return true;
  });
  return { ...report, steps, annotations, summary: report.summary === null ? null : fitSummary(report.summary, room) };
};
