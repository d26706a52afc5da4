/** `npm run move`: moves an installation to another event log, with what its processes and timers have come to. */
import { join, resolve } from 'node:path';
import { tool } from '../../../packages/command-line/src/index';
import { TransferError } from '../../../packages/eventstore-node/src/transfer/index';
import { readArguments, refuseArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { type LogPlace, readSettings } from './installation';
import { moveLog } from './move-log';

export const program = tool({
  name: 'npm run move --',
  about: 'Moves an installation to another event log, and its checkpoints and timers with it.',
  options: {
    to: {
      type: 'string',
      value: 'LOG',
      required: true,
      about: 'the new log: a connection string (esdb://…, kurrentdb://…), or embedded: the node of the data directory',
    },
    from: {
      type: 'string',
      value: 'LOG',
      about: 'the log so far (default: EVENTSTORE_URL, or else the embedded node)',
    },
    'without-source': {
      type: 'boolean',
      about:
        'the log so far is gone: takes the new one as it is. Processes read it from its beginning, recognise by ids what they did before, and set timers again',
    },
    data: { type: 'string', value: 'DIR', about: 'the data directory (default: DATA_DIR, or else .data)' },
  },
  notes: ['Stop everything first. A move that was interrupted continues when it is run again.'],
});

const report = (step: string): void => void process.stderr.write(`${step}…\n`);

const placeOf = (log: string, data: string): LogPlace =>
  log === 'embedded' ? { kind: 'directory', path: join(data, 'eventstore') } : { kind: 'server', url: log };

const main = async (): Promise<number> => {
  const { to, from, 'without-source': withoutSource, data: directory } = readArguments(program).options;
  if (withoutSource && from !== undefined)
    return refuseArguments(program, 'Give --from or --without-source, not both.');
  const data = resolve(directory ?? process.env.DATA_DIR ?? '.data');
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

if (require.main === module) main().then((code) => process.exit(code), failed);
