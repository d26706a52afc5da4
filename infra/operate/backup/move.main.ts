/** `npm run move`: moves an installation to another event log, with what its processes and timers have come to. */
import { join, resolve } from 'node:path';
import { TransferError } from '../../../packages/eventstore-node/src/transfer/index';
import { parseArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { type LogPlace, readSettings } from './installation';
import { moveLog } from './move-log';

const usage = `Usage: npm run move -- --to LOG [--from LOG | --without-source] [--data DIR]
         LOG               a connection string (esdb://…, kurrentdb://…), or 'embedded': the node of the data directory
         --from            the log so far; EVENTSTORE_URL or else the embedded node, unless it is given
         --without-source  the log so far is gone: the other one is taken as it is, and processes go through it from its
                           beginning; what they did before is recognised by its ids, and timers are set again
       Stop everything first. Run it again after it was stopped.`;

const flags = {
  to: { type: 'string' },
  from: { type: 'string' },
  data: { type: 'string' },
  'without-source': { type: 'boolean', default: false },
} as const;

const report = (step: string): void => void process.stderr.write(`${step}…\n`);

const placeOf = (log: string, data: string): LogPlace =>
  log === 'embedded' ? { kind: 'directory', path: join(data, 'eventstore') } : { kind: 'server', url: log };

const main = async (): Promise<number> => {
  const {
    values,
    positionals: [unexpected],
  } = parseArguments(flags, usage);
  if (unexpected !== undefined) return stop(`Unexpected argument '${unexpected}'.\n${usage}`, 2);
  const { to, from, 'without-source': withoutSource } = values;
  if (to === undefined) return stop(`--to is missing.\n${usage}`, 2);
  if (withoutSource && from !== undefined) return stop(`--from and --without-source exclude each other.\n${usage}`, 2);
  const data = resolve(values.data ?? process.env.DATA_DIR ?? '.data');
  const source = from ?? readSettings(process.env).EVENTSTORE_URL ?? 'embedded';
  const moved = await moveLog({
    data,
    env: process.env,
    from: withoutSource ? undefined : placeOf(source, data),
    to: placeOf(to, data),
    report,
  });
  process.stdout.write(`${JSON.stringify({ moved: true, ...moved })}\n`);
  const start = to === 'embedded' ? 'without EVENTSTORE_URL' : 'with EVENTSTORE_URL set to it';
  process.stderr.write(
    `The installation is of that log now: start it ${start}. Its views are built again from the log.\n`,
  );
  return 0;
};

const failed = (error: unknown): never => {
  if (error instanceof OperatorError || error instanceof TransferError) return stop(error.message, 1);
  return stop(`The log was not moved: ${error instanceof Error ? error.message : String(error)}`, 1);
};

main().then((code) => process.exit(code), failed);
