/** A real log, Postgres, and copies of the processes service as children that a test may kill. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import type { ProcessStatus } from '../../../commands/kernel/processes/process-status';
import type { Instant } from '../../../domain/kernel/codec';
import type { EventStore } from '../../../infra/ports/event-store';
import { amountsIn } from '../../kernel/processes/fixture';
import { type OrderEvent, orderStream, orders } from '../../kernel/processes/sample-processes';
import { exitOf } from '../../support/processes/child-exit';
import { typescript } from '../../support/runner/compiled';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { usePostgres } from './work-queue/fixture';

export interface CopyReport {
  readonly kind: string;
  readonly customer?: string;
  readonly attempt?: number;
  readonly status?: readonly ProcessStatus[];
}

export interface Copy {
  readonly child: ChildProcess;
  readonly reports: readonly CopyReport[];
  readonly untilReported: (holds: (report: CopyReport) => boolean) => Promise<void>;
  readonly phase: () => Promise<string>;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<number | null>;
}

export const startCopy = async (storeUrl: string, postgresUrl: string, mode = ''): Promise<Copy> => {
  const script = join(__dirname, 'process-runner.main.ts');
  const child = fork(script, [storeUrl, postgresUrl, mode], { execArgv: typescript() });
  const reports: CopyReport[] = [];
  child.on('message', (message) => reports.push(message as CopyReport));
  const untilReported: Copy['untilReported'] = (holds) => eventually(async () => assert.ok(reports.some(holds)));
  await untilReported(({ kind }) => kind === 'started');
  return {
    child,
    reports,
    untilReported,
    phase: async () => {
      const before = reports.length;
      child.send('status');
      const answer = () => reports.slice(before).find(({ kind }) => kind === 'status')?.status?.[0];
      await eventually(async () => assert.ok(answer()));
      return answer()?.phase ?? '';
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exitOf(child);
    },
    stop: () => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
  };
};

/** Records an order's event now, as a command API would have. */
export const recordNow = async (store: EventStore, event: OrderEvent): Promise<void> => {
  const id = randomUUID();
  const at = new Date().toISOString() as Instant;
  const caused = { $correlationId: id, $causationId: id, commandId: id, commandHash: 'h' };
  const metadata = { ...caused, tenant: 'acme', actor: 'p-1', at };
  const appended = await store.append(orderStream(id), 'no-stream', [{ id, ...orders.encode(event), metadata }]);
  assert.ok(isRight(appended));
};

/** A log, a database and copies of its own for each describe. */
export const useProcessCopies = (name: string) => {
  const log = logOnNode(name);
  const postgres = usePostgres();
  const copies: Copy[] = [];
  const start = async (mode?: string): Promise<Copy> => {
    const copy = await startCopy(log.node.url, postgres.url, mode);
    copies.push(copy);
    return copy;
  };
  const added = (customer: string, amounts: readonly number[]) =>
    eventually(async () => assert.deepEqual(await amountsIn(log.store, customer), amounts));
  afterEach(() => Promise.all(copies.splice(0).map((copy) => copy.kill())));
  return { log, postgres, copies, start, added };
};
