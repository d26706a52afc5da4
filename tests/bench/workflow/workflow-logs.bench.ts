/**
 * A job that writes 10^6 lines, from its start to its end with every chunk stored, beside compressing and hashing the same chunks alone; and how old a
 * line is when a viewer has it, while a job writes twenty a second.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { limits } from '../../../domain/workflow/limits';
import { contentOf } from '../../support/identity/tenant';
import { percentile, rate, report } from '../measure';
import { startWorkflows, timeOf, workflowOf } from './running-workflows';

const count = 1_000_000;
const freshCount = 200;

const line = (number: number): string => `line ${number}\n`;

const aloneRate = (): Promise<number> => {
  const text = Buffer.from(Array.from({ length: count }, (_, index) => line(index + 1)).join(''));
  return rate(count, async () => {
    for (let at = 0; at < text.length; at += limits.logChunkBytes) {
      const chunk = text.subarray(at, at + limits.logChunkBytes);
      createHash('sha256').update(chunk).digest();
      gzipSync(chunk, { level: 1 });
    }
  });
};

interface LogPage {
  readonly chunks: readonly { readonly text: string }[];
  readonly nextOffset: number;
  readonly complete: boolean;
}
type System = Awaited<ReturnType<typeof startWorkflows>>;

/** How many of the lines that the step wrote are stored. */
const storedLines = async ({ tenant }: System, jobId: string): Promise<number> => {
  let [offset, tail, found] = [0, '', 0];
  for (;;) {
    const page = await contentOf<LogPage>(tenant.read(`/actions/jobs/${jobId}/logs?fromOffset=${offset}`));
    const lines = (tail + page.chunks.map(({ text }) => text).join('')).split('\n');
    tail = lines.pop() ?? '';
    found += lines.filter((text) => /^line \d+$/.test(text)).length;
    if (page.chunks.length === 0) return found;
    offset = page.nextOffset;
  }
};

/** Ages of lines that are their own time in milliseconds. */
const agesOf = async ({ tenant, url }: System, jobId: string): Promise<readonly number[]> => {
  const answer = await fetch(`${url}/actions/jobs/${jobId}/logs/events`, {
    headers: { authorization: `Bearer ${tenant.adminToken}`, accept: 'text/event-stream' },
  });
  const ages: number[] = [];
  let tail = '';
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    const now = Date.now();
    const lines = (tail + Buffer.from(bytes).toString()).split('\n');
    tail = lines.pop() ?? '';
    for (const data of lines.filter((text) => text.startsWith('data: '))) {
      const event = JSON.parse(data.slice('data: '.length)) as { readonly type: string; readonly text?: string };
      for (const text of event.type === 'log_chunk' ? (event.text ?? '').split('\n') : [])
        if (/^1\d{12}$/.test(text)) ages.push(now - Number(text));
      if (event.type === 'log_end') return ages;
    }
  }
  return ages;
};

export const run = async (): Promise<void> => {
  const alone = await aloneRate();
  const system = await startWorkflows({
    many: workflowOf('many', `seq -f 'line %.0f' 1 ${count}`),
    fresh: workflowOf('fresh', `for i in $(seq 1 ${freshCount}); do date +%s%3N; sleep 0.05; done`),
  });
  const events = await system.until(await system.begin('many'), 'RunCompleted');
  const ended = events.find(({ event }) => event.type === 'JobCompleted')?.event;
  if (ended?.type !== 'JobCompleted') throw new Error('the job did not end');
  const seconds = (timeOf(events, 'JobCompleted') - timeOf(events, 'JobStarted')) / 1_000;
  report({ name: 'workflow-logs.lines', value: count / seconds, unit: 'lines/s', baseline: alone });
  const stored = await storedLines(system, ended.data.jobId);
  report({ name: 'workflow-logs.lost', value: count - stored, unit: 'lines' });

  const started = await system.until(await system.begin('fresh'), 'JobStarted');
  const job = started.find(({ event }) => event.type === 'JobStarted')?.event;
  if (job?.type !== 'JobStarted') throw new Error('the job did not start');
  const ages = await agesOf(system, job.data.jobId);
  report({ name: 'workflow-logs.freshness.p50', value: percentile(ages, 0.5), unit: 'ms' });
  report({ name: 'workflow-logs.freshness.p99', value: percentile(ages, 0.99), unit: 'ms', baseline: 1_000 });
  report({ name: 'workflow-logs.seen', value: ages.length, unit: 'lines', baseline: freshCount });
  await system.close();
};
