/** Where a worker stands that takes too long, for the report of its failure. Linux only; elsewhere less is known. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { remainingProcessesOf } from './leftovers';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** What is running, stopped by a signal, or waiting, and for what in the kernel. */
const describeThreads = (pid: number): readonly string[] =>
  namesIn(`/proc/${pid}/task`).map((thread) => {
    const of = (file: string): string => read(`/proc/${pid}/task/${thread}/${file}`);
    const state = /^State:\s+(.*)$/m.exec(of('status'))?.[1] ?? 'ended';
    return `  thread ${of('comm')}: ${state}, in ${of('wchan') || '?'}, system call ${of('syscall').split(' ')[0] || '?'}`;
  });

/** The part of Node's report that is used here. */
interface Report {
  readonly javascriptStack?: { readonly message?: string; readonly stack?: readonly string[] };
  readonly libuv?: readonly { readonly type: string; readonly is_active: boolean; readonly is_referenced: boolean }[];
}

/** For the worker: Node writes a report on SIGUSR2, between two steps of its script. Threads take no options for it. */
export const writeReports = (directory: string): void => {
  process.report.directory = directory;
  process.report.reportOnSignal = true;
};

/** Undefined: it is not written, or not to its end. */
const readReport = (pid: number, reports: string): Report | undefined => {
  const name = namesIn(reports).find((file) => file.startsWith('report.') && file.split('.')[3] === String(pid));
  try {
    return name === undefined ? undefined : (JSON.parse(read(join(reports, name))) as Report);
  } catch {
    return undefined;
  }
};

const describeReport = (report: Report | undefined): readonly string[] => {
  if (report === undefined) return ['  Its script does not answer: it is inside one call, or stopped.'];
  const { javascriptStack, libuv } = report;
  const handles = libuv?.filter((handle) => handle.is_active && handle.is_referenced).map(({ type }) => type) ?? [];
  return [
    `  It waits for: ${handles.join(', ') || 'nothing'}`,
    ...(javascriptStack?.stack ?? []).slice(0, 20).map((line) => `  ${line}`),
  ];
};

const reportMilliseconds = 2_000;

interface HungWorker {
  readonly pid: number;
  /** What it has started carries it. */
  readonly directory: string;
  /** Where Node writes reports. */
  readonly reports: string;
}

/** Lines: its threads, its script, and the processes that it has started. */
export const describeHang = async ({ pid, directory, reports }: HungWorker): Promise<string> => {
  const threads = describeThreads(pid);
  process.kill(pid, 'SIGUSR2');
  await sleep(reportMilliseconds);
  const children = (await remainingProcessesOf(directory, [pid])).map((child) => `  started ${child.command}`);
  return [...threads, ...describeReport(readReport(pid, reports)), ...children].join('\n');
};
