/** `verify`: walks everything and names the first damage; also while a node serves the directory. */
import { isLeft } from 'fp-ts/Either';
import { complain, flagsIn } from '../flags';
import { verify } from '../maintenance/verify/verify';
import type { Walked } from '../maintenance/verify/walk';
import { progressOn } from '../transfer/progress';

const flags = { data: { type: 'string' } } as const;

const summary = (data: string, { events, bytes, streams, removed }: Walked, milliseconds: number): object => ({
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
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { data } = wanted.right;
  if (data === undefined) return complain('--data is missing.');
  const say = progressOn(process.stderr);
  const started = performance.now();
  const verified = await verify(data, (step, done, total) => say({ [step]: done, of: total }));
  switch (verified.kind) {
    case 'walked':
      print(summary(data, verified.walked, performance.now() - started));
      return 0;
    case 'nothing':
      return complain(`There is no log in ${data}.`, 1);
    case 'damaged':
      print({ verified: data, damage: verified.damage });
      return complain(verified.damage, 1);
  }
};
