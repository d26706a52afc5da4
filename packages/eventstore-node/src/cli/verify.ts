/** `verify`: checks the whole log and names the first corruption; also while a node serves the directory. */
import type { CheckResult } from '../verify/check-all';
import { verify } from '../verify/verify';
import { printError } from './print-error';
import type { OptionsOf } from './program';
import { createProgressPrinter } from './progress';

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

export const run = async ({ data }: OptionsOf<'verify'>): Promise<number> => {
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
