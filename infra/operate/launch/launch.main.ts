/** `npm start`: starts the stores that no environment variable points at, runs the services, and prints their addresses. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { describeProcess, type Lock, lockDirectory } from '../../../packages/data-directory/src/index';
import { openSandboxes, sandboxDirectory } from '../../../packages/sandbox/src/index';
import type { Log } from '../../ports/runtime/log';
import { offSummary, type StoreVariable } from '../../server/runtime/store-off';
import { portVariable } from '../../server/services';
import { endLeftChildren } from './child-records';
import { prepareDataDirectory } from './data-directory';
import { firstAdmin } from './first-admin';
import { freePort } from './free-port';
import { runManagedRunner } from './managed-runner';
import { OperatorError } from './operator-error';
import { type Options, parseOptions, program } from './options';
import { refuseUnusablePolicies } from './policy-faults';
import { refusePartialRestore } from './restore-marker';
import { runServices } from './run-services';
import { ensureSecrets } from './secret-files';
import {
  keysDirectory,
  type LaunchContext,
  publicUrl,
  type ServicePorts,
  sandboxesDirectory,
  serviceNames,
} from './service-environment';
import { prepareDatabase } from './stores/prepare-database';
import { requireSameLog } from './stores/require-same-log';
import { startStores } from './stores/start-stores';
import type { StartedStore } from './stores/started-store';
import { waitedFor } from './stores/supervise-server';
import { watchedStores, watchStores } from './stores/watch-stores';
import { displayPath, type Logs, openLauncherLog, openLogs, step, terminal } from './terminal-output';

const usualPort = 7070;

const publicPort = async ({ host, port }: Options): Promise<number> => {
  const found = await freePort(port ?? usualPort, host);
  if (found !== undefined) return found;
  if (port !== undefined) throw new OperatorError(`Port ${port} on ${host} is in use: name another one with --port N.`);
  const other = (await freePort(0, host)) as number;
  step('gateway', `port ${usualPort} is in use, so it takes ${other}`);
  return other;
};

const portOf = async (service: string): Promise<number> =>
  Number(process.env[portVariable(service)] ?? (await freePort()));

const portsOf = async (options: Options): Promise<ServicePorts> => {
  const behind: Record<string, number> = {};
  for (const name of serviceNames.filter((one) => one !== 'gateway')) behind[name] = await portOf(name);
  return { ...behind, gateway: await publicPort(options) } as unknown as ServicePorts;
};

const urlVariables = ['EVENTSTORE_URL', 'EVENTSTORE_READER_URL', 'POSTGRES_URL', 'REDIS_URL', 'ELASTICSEARCH_URL'];

/** With `--only`, the stores are elsewhere. */
const externalStores = (): readonly StartedStore[] => [
  {
    env: Object.fromEntries(
      urlVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    stop: () => Promise.resolve(),
  },
];

const urlFile = (directory: string): string => join(directory, 'url');

/** For a second start, which names the address of the first one. Returns the undo. */
const recordUrl = (directory: string, url: string): (() => void) => {
  writeFileSync(urlFile(directory), `${url}\n`);
  return () => rmSync(urlFile(directory), { force: true });
};

/** Empty while the other start has no address yet. */
const recordedUrl = (directory: string): string =>
  existsSync(urlFile(directory)) ? readFileSync(urlFile(directory), 'utf8').trim() : '';

const lockOrStop = (directory: string): Lock => {
  const lock = lockDirectory(directory, 'launcher');
  if (isLeft(lock)) {
    const url = recordedUrl(directory);
    const where = url === '' ? directory : `${directory}, at ${url}`;
    throw new OperatorError(`Septet already runs on ${where}: ${describeProcess(lock.left)}.`);
  }
  return lock.right;
};

/** Variables that point tools at blobs, keys and indexes outside the default locations. */
const toolVariables = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(S3_|BLOBS_DIR$|REPOSITORIES_DIR$|KMS$|PKCS11_|ELASTICSEARCH_PREFIX$)/.test(name),
    ),
  );

/** For tools. They get the reader's address of the log, as few of them append. */
const writeRunFile = (context: LaunchContext): void => {
  const { data, stores, secrets } = context;
  const { EVENTSTORE_URL: writerUrl = '', EVENTSTORE_READER_URL: readerUrl = writerUrl, ...others } = stores;
  const log = { EVENTSTORE_URL: readerUrl, EVENTSTORE_WRITER_URL: writerUrl };
  const keys = {
    MASTER_KEY_FILE: secrets['master-key'],
    KEYS_DIR: keysDirectory(data),
    VIEW_KEY_FILE: secrets['view-key'],
    // Rebuilds read the content that rows are made of.
    BLOBS_KEY_FILE: secrets['blobs-key'],
    BLOBS_DIR: join(data, 'blobs'),
  };
  const run = { ...others, ...log, ...keys, PUBLIC_URL: publicUrl(context), ...toolVariables() };
  writeFileSync(join(data, 'run.json'), `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
};

/** What the start waits for: `n of m` counts it. */
const expectParts = (logs: Logs, { only }: Options): void => {
  const stores = [
    ['eventstore', 'EVENTSTORE_URL'],
    ['postgres', 'POSTGRES_URL'],
    ['redis', 'REDIS_URL'],
    ['elasticsearch', 'ELASTICSEARCH_URL'],
  ] as const;
  const started = stores.flatMap(([name, variable]) => (process.env[variable] === undefined ? [name] : []));
  const names = only ?? [...started, 'sandboxes', ...serviceNames, 'runner'];
  terminal.expect(names.map((name) => (name === 'sandboxes' ? { name } : { name, logFile: logs.pathOf(name) })));
};

/** Settles when Elasticsearch answers, or at once where it is not started here. */
const whenSearchAnswers = (parts: readonly StartedStore[]): Promise<void> =>
  parts.find(({ env }) => env.ELASTICSEARCH_URL !== undefined)?.ready ?? Promise.resolve();

const storeVariables: Readonly<Record<string, StoreVariable>> = {
  postgres: 'POSTGRES',
  redis: 'REDIS',
  elasticsearch: 'ELASTICSEARCH',
};

/** What does not work without a part that is no store. */
const withoutPart: Readonly<Record<string, string>> = {
  sandboxes: 'Without sandboxes, jobs that run programs wait.',
  runner: 'Without the runner, workflow jobs wait for runners of your own.',
};

const offSentence = (name: string, reason: string, { stores }: LaunchContext): string => {
  const variable = storeVariables[name];
  if (variable !== undefined) return offSummary(variable, stores);
  return [`${name}: ${reason}`, withoutPart[name] ?? 'Requests that need it answer 503.'].join(' ');
};

/** Parts that went off since `known`. */
const printOff = (around: LaunchContext, known: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  const off = [...terminal.offParts()];
  const added = off.filter(([name]) => !known.has(name));
  if (added.length > 0) {
    const lines = added.map(([name, reason]) => `    ${offSentence(name, reason, around)}`);
    process.stdout.write(`  Off:\n${lines.join('\n')}\n\n`);
  }
  return new Set(off.map(([name]) => name));
};

/** Files in place of the built-in policies. */
const policyFiles = (): readonly string[] =>
  (
    [
      ['GATEWAY_RATELIMIT_POLICY_FILE', 'of requests to Septet'],
      ['RATELIMIT_POLICY_FILE', 'that your services ask for'],
    ] as const
  ).flatMap(([variable, about]) => {
    const file = process.env[variable];
    return file === undefined || file === '' ? [] : [`${displayPath(resolve(file))} (${about})`];
  });

const printAddresses = async (around: LaunchContext, isSearchLate: boolean): Promise<ReadonlySet<string>> => {
  const url = publicUrl(around);
  const lines = [
    `Septet is up:       ${url}`,
    ...(isSearchLate ? ['Search:             still starting; everything else works'] : []),
    `API documentation:  ${url}/docs`,
    await firstAdmin(around),
    `Data:               ${displayPath(around.data)}`,
    `Logs:               ${displayPath(join(around.data, 'logs'))}`,
    // Elsewhere than where the tools look by themselves.
    ...(around.data === resolve('.data')
      ? []
      : [`Tools find it by:   DATA_DIR=${around.data} npm run audit -- --verify`]),
    ...policyFiles().map((line) => `Rate limits:        ${line}`),
    'Ctrl-C stops everything.',
  ];
  process.stdout.write(`\n  ${lines.join('\n  ')}\n\n`);
  return printOff(around);
};

/** Workers find out themselves; here a person learns which features are off. */
const printSandboxes = async (data: string, log: Log): Promise<void> => {
  const directory = sandboxDirectory(resolve(process.env.SANDBOX_DIR ?? sandboxesDirectory(data)));
  const opened = await openSandboxes({ directory });
  if (isLeft(opened)) {
    log.info({ ...opened.left }, 'programs cannot be isolated here');
    return terminal.off('sandboxes', opened.left.detail);
  }
  terminal.ready('sandboxes', opened.right.version);
  await opened.right.sandboxes.close();
};

/** How long the launcher waits for Elasticsearch, beside which everything else starts. */
const searchTimeoutMilliseconds = 60_000;

const untilSearchAnswers = async (search: Promise<void>): Promise<void> => {
  const isLate = await Promise.race([search.then(() => false), sleep(searchTimeoutMilliseconds, true, { ref: false })]);
  if (isLate) step('elasticsearch', waitedFor);
};

/** A start that takes long names what it waits for. */
const remindMilliseconds = 15_000;
/** The first ones are what the others wait for. */
const maxPendingNames = 4;

const remindOfPending = (): (() => void) => {
  const timer = setInterval(() => {
    const pending = terminal.pending();
    const more = pending.length > maxPendingNames ? ` and ${pending.length - maxPendingNames} more` : '';
    if (pending.length > 0) step('start', `still waiting for ${pending.slice(0, maxPendingNames).join(', ')}${more}`);
  }, remindMilliseconds);
  return () => clearInterval(timer);
};

const isSettled = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);

const start = async (options: Options, signal: AbortSignal): Promise<() => Promise<void>> => {
  const { data, host, only, processes } = options;
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    refuseUnusablePolicies(process.env);
    prepareDataDirectory(data);
    undo.push(lockOrStop(data).release);
    await endLeftChildren(data, step);
    refusePartialRestore(data);
    const logs = openLogs(data);
    undo.push(logs.close);
    const log = openLauncherLog(logs);
    expectParts(logs, options);
    const stopReminding = remindOfPending();
    undo.push(stopReminding);
    const secrets = ensureSecrets(data);
    const place = { data, host, secrets, ports: await portsOf(options) };
    undo.push(recordUrl(data, publicUrl(place)));
    const starting =
      only === undefined ? startStores({ log, logs, data, secrets, signal }) : Promise.resolve(externalStores());
    undo.push(async () => {
      const parts = await starting.catch(() => []);
      await Promise.all(parts.map((part) => part.stop()));
    });
    const sandboxes = only === undefined ? printSandboxes(data, log) : Promise.resolve();
    const prepare = async (): Promise<LaunchContext> => {
      const [parts] = await Promise.all([starting, sandboxes]);
      const database = await prepareDatabase({ log, parts, secrets });
      undo.push(database.stop);
      const { stores } = database;
      if (only === undefined) await requireSameLog(stores);
      const context = { ...place, stores };
      writeRunFile(context);
      return context;
    };
    const around = prepare();
    const names = only ?? serviceNames;
    const group = runServices({ log, logs, names, processes, around, data, areNamed: only !== undefined, signal });
    undo.push(group.stop);
    const runner =
      only === undefined ? await runManagedRunner({ log, logs, around: place, gateway: group.started }) : undefined;
    if (runner !== undefined) undo.push(runner.stop);
    await group.started;
    const search = whenSearchAnswers(await starting);
    const off = await printAddresses(await around, !(await isSettled(search)));
    const interrupted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    await Promise.race([Promise.all([untilSearchAnswers(search), runner?.started]), interrupted]);
    if (!signal.aborted) {
      printOff(await around, off);
      process.stdout.write('  The start is complete.\n');
      terminal.complete();
      stopReminding();
      const { stores } = await around;
      const over = new AbortController();
      const watching = watchStores(watchedStores(stores), { print: step, signal: over.signal });
      undo.push(async () => {
        over.abort();
        await watching;
      });
    }
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
};

const main = async (): Promise<void> => {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (isLeft(options)) {
    const { text, code } = options.left;
    (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
    process.exit(code);
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
  const stop = await start(options.right, interrupted.signal);
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort');
  process.stdout.write('  stopping…\n');
  await stop();
  process.stdout.write('  Septet has stopped.\n');
};

const fail = (error: unknown): never => {
  process.stderr.write(
    `${error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
};

export { program };

if (require.main === module) main().then(() => process.exit(0), fail);
