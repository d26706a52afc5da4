#!/usr/bin/env node
/** The program `septet-runner`. SIGINT or SIGTERM: it takes no more jobs and ends after the running ones; a second signal ends it at once. */
import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { parseTool, tool } from '../../command-line/src/index';
import { type RunnerOptions, startRunner } from './runner';

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

export const program = tool({
  name: 'septet-runner',
  about: 'Takes jobs of workflows and runs their steps, isolated, on this machine.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      required: true,
      about: 'the address of the system, as https://ci.example.org',
    },
    token: {
      type: 'string',
      value: 'TOKEN',
      about: 'the registration token, needed once; --token-file is safer, because other users see arguments',
    },
    'token-file': { type: 'string', value: 'FILE', about: 'a file that holds the registration token' },
    directory: { type: 'string', value: 'DIR', about: 'credential and sandboxes (default: ~/.septet-runner)' },
    name: { type: 'string', value: 'NAME', about: "what people call it (default: the machine's name)" },
    labels: { type: 'string', value: 'A,B', about: 'which jobs it takes, besides linux and the isolation' },
    slots: { type: 'string', value: 'N', about: 'how many jobs it runs at once (default: 1)' },
    network: {
      type: 'string',
      value: 'none|host',
      about: 'host: jobs reach what this machine reaches (default: none)',
    },
    isolation: {
      type: 'string',
      value: 'bwrap|none',
      about: 'none: jobs run as ordinary programs of this user, without any isolation (default: bwrap)',
    },
    'memory-mb': { type: 'string', value: 'N', about: 'the memory that a job may use' },
    'disk-mb': { type: 'string', value: 'N', about: 'the disk space that a job may use' },
    processes: { type: 'string', value: 'N', about: 'how many processes a job may have' },
  },
});

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

/** Without the fields that are undefined. */
const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]?: Exclude<Fields[Field], undefined>;
  };

const mebibyte = 2 ** 20;

const main = async (): Promise<void> => {
  const parsed = parseTool(program, process.argv.slice(2));
  if (isLeft(parsed)) {
    if (parsed.left.code !== 0) return fail(parsed.left.text);
    return void process.stdout.write(`${parsed.left.text}\n`);
  }
  const given = parsed.right.options;
  const { url } = given;
  if (!URL.canParse(url)) return fail('--url must be an address, as https://ci.example.org.');
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

if (require.main === module) void main();
