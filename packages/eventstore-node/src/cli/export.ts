/** `export`: writes the log of any EventStoreDB as newline-delimited JSON. */
import { exportLog, type Sink, toFile, toOutput } from '../transfer/export-log';
import { openServer, type Server } from '../transfer/server/connection';
import type { ReadServerOptions } from '../transfer/server/read-log';
import { describeError } from '../transfer/transfer-error';
import { printError } from './print-error';
import type { OptionsOf } from './program';
import { createProgressPrinter } from './progress';

const transfer = async (server: Server, out: string, options: ReadServerOptions): Promise<number> => {
  const reportProgress = createProgressPrinter(process.stderr);
  const fill = (sink: Sink) =>
    exportLog(server, sink, { ...options, progress: (events) => reportProgress({ events }) });
  const exported = out === '-' ? await toOutput(process.stdout, fill) : await toFile(out, fill);
  const summary = `${JSON.stringify({ export: out, ...exported })}\n`;
  (out === '-' ? process.stderr : process.stdout).write(summary);
  return 0;
};

export const run = async ({ url, out, from, system }: OptionsOf<'export'>): Promise<number> => {
  if (from !== undefined && !/^\d{1,15}$/.test(from)) return printError('--from must be a position.');
  try {
    const server = openServer(url);
    try {
      return await transfer(server, out, { from: from === undefined ? undefined : Number(from), system });
    } finally {
      await server.close();
    }
  } catch (error) {
    return printError(describeError(error), 1);
  }
};
