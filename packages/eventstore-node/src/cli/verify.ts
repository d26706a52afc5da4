/** `verify`: checks the whole log and names the first corruption; also while a node serves the directory. */
import { isLeft } from 'fp-ts/Either';
import type { CheckResult } from '../verify/check-all';
import { verify } from '../verify/verify';
import { parseFlags, printError } from './flags';
import { createProgressPrinter } from './progress';

const flags = { data: { type: 'string' } } as const;

const summary = (data: string, { events, bytes, streams, removed }: CheckResult, milliseconds: number): object => ({
  verified: data,
  events,
  bytes,
  streams,
  scavenged: { events: removed.events, bytes: removed.bytes },
  seconds: Number((milliseconds / 1000).toFixed(3)),
  eventsPerSecond: Math.round((events * 1000) / Math.max(milliseconds, 1)),
});

const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseFlags(argv, flags);
  if (isLeft(parsed)) return printError(parsed.left);
  const { data } = parsed.right;
  if (data === undefined) return printError('--data is missing.');
  const reportProgress = createProgressPrinter(process.stderr);
  const started = performance.now();
  const verified = await verify(data, (step, done, total) => reportProgress({ [step]: done, of: total }));
  switch (verified.kind) {
    case 'walked':
      print(summary(data, verified.walked, performance.now() - started));
      return 0;
    case 'nothing':
      return printError(`There is no log in ${data}.`, 1);
    case 'damaged':
      print({ verified: data, damage: verified.damage });
      return printError(verified.damage, 1);
  }
};
