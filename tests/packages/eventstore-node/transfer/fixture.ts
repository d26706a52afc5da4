/** A log to take from and one to put into. */
import { randomUUID } from 'node:crypto';
import type { NewRecord } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/format/event-line';
import { type LogInProcess, openLogInProcess } from './log-in-process';

export const record = (data = '{}', type = 'Happened'): NewRecord => ({
  id: randomUUID(),
  type,
  json: true,
  data: Buffer.from(data),
  metadata: Buffer.alloc(0),
});

export const options = { system: false, progress: () => undefined };

export const withLogs = async (use: (source: LogInProcess, target: LogInProcess) => Promise<void>): Promise<void> => {
  const [source, target] = [openLogInProcess(), openLogInProcess()];
  try {
    await use(source, target);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
};

/** As a scavenge leaves a log: without the beginning of one stream. */
export const without = (events: readonly LoggedEvent[], stream: string, below: number): LoggedEvent[] =>
  events.filter((event) => event.stream.toString() !== stream || event.revision >= below);
