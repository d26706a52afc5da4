#!/usr/bin/env node
/** The program `septet-runner`. SIGINT or SIGTERM: it takes no more jobs and ends after the running ones; a second signal ends it at once. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLeft } from 'fp-ts/Either';
import { type RunnerOptions, startRunner } from './runner';

const usage = `septet-runner --url URL [--token-file FILE | --token TOKEN]
  --url URL          of the system, as https://ci.example.org
  --token TOKEN      the registration token, needed once; better --token-file FILE, as other users see arguments
  --directory DIR    credential and sandboxes (~/.septet-runner)
  --name NAME        (the machine's name)
  --labels A,B       which jobs it takes, besides linux and the isolation
  --slots N          jobs at once (1)
  --network host     jobs reach what this machine reaches; without it they have no network
  --isolation none   jobs run as ordinary programs of this user, without any isolation
  --memory-mb N, --disk-mb N, --processes N   what a job may use`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  directory: { type: 'string' },
  name: { type: 'string' },
  labels: { type: 'string' },
  slots: { type: 'string' },
  network: { type: 'string' },
  isolation: { type: 'string' },
  'memory-mb': { type: 'string' },
  'disk-mb': { type: 'string' },
  processes: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const wholeNumber = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : fail(`--${name} is a whole number above 0.`);
};

const oneOf = <const Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (value === undefined) return undefined;
  return words.find((word) => word === value) ?? fail(`--${name} is one of ${words.join(', ')}.`);
};

const readArguments = () => {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
};

/** Without the fields that are undefined. */
const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]?: Exclude<Fields[Field], undefined>;
  };

const mebibyte = 2 ** 20;

const main = async (): Promise<void> => {
  const given = readArguments();
  if (given.help === true) return void process.stdout.write(`${usage}\n`);
  const { url } = given;
  if (url === undefined || !URL.canParse(url)) return fail(`--url is missing.\n\n${usage}`);
  const tokenFile = given['token-file'];
  const [memory, disk] = [wholeNumber('memory-mb', given['memory-mb']), wholeNumber('disk-mb', given['disk-mb'])];
  const started = await startRunner({
    url: new URL(url).origin,
    ...present({
      token: tokenFile === undefined ? given.token : readFileSync(tokenFile, 'utf8').trim(),
      directory: given.directory,
      name: given.name,
      labels: given.labels?.split(',').map((label) => label.trim()),
      slots: wholeNumber('slots', given.slots),
      network: oneOf('network', given.network, ['none', 'host']),
      isolation: oneOf('isolation', given.isolation, ['bwrap', 'none']),
    } satisfies { [Field in keyof RunnerOptions]?: RunnerOptions[Field] | undefined }),
    limits: present({
      memoryBytes: memory === undefined ? undefined : memory * mebibyte,
      diskBytes: disk === undefined ? undefined : disk * mebibyte,
      processes: wholeNumber('processes', given.processes),
    }),
  });
  if (isLeft(started)) return fail(started.left);
  const runner = started.right;
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      signals += 1;
      if (signals === 1) runner.drain();
      else void runner.close();
    });
  process.stderr.write(
    `${JSON.stringify({ message: 'runner ready', runnerId: runner.runnerId, isolation: runner.isolation })}\n`,
  );
  const end = await runner.ended;
  if (end === 'unauthenticated') fail('The service knows this runner no more: register it again.');
  process.exit(0);
};

void main();
