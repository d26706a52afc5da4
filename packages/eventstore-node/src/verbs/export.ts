/** `export`: the log of any EventStoreDB as newline-delimited JSON. */
import { isLeft } from 'fp-ts/Either';
import { complain, flagsIn } from '../flags';
import { exportLog, type Sink } from '../transfer/export';
import { sentenceOf } from '../transfer/faults';
import { progressOn } from '../transfer/progress';
import { openServer, type Server } from '../transfer/server';
import { toFile, toOutput } from '../transfer/sink';
import type { Wanted } from '../transfer/source';

const flags = {
  url: { type: 'string' },
  out: { type: 'string', default: '-' },
  from: { type: 'string' },
  system: { type: 'boolean', default: false },
} as const;

const transfer = async (server: Server, out: string, wanted: Wanted): Promise<number> => {
  const say = progressOn(process.stderr);
  const fill = (sink: Sink) => exportLog(server, sink, { ...wanted, progress: (events) => say({ events }) });
  const exported = out === '-' ? await toOutput(process.stdout, fill) : await toFile(out, fill);
  const summary = `${JSON.stringify({ export: out, ...exported })}\n`;
  (out === '-' ? process.stderr : process.stdout).write(summary);
  return 0;
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const given = flagsIn(argv, flags);
  if (isLeft(given)) return complain(given.left);
  const { url, out, from, system } = given.right;
  if (url === undefined) return complain('--url is missing.');
  if (from !== undefined && !/^\d{1,15}$/.test(from)) return complain('--from must be a position.');
  try {
    const server = openServer(url);
    try {
      return await transfer(server, out, { from: from === undefined ? undefined : Number(from), system });
    } finally {
      await server.close();
    }
  } catch (error) {
    return complain(sentenceOf(error), 1);
  }
};
