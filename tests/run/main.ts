/**
 * `npm test`, `npm run test:unit`, `npm run test:faults`, and with a file or a part of a name after `--`, that part.
 * Exits with 0 when everything passed, 1 when something failed, 130 when it was interrupted.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBundle } from '../../infra/server/bundle/bundle-cache.cjs';
import { readArguments } from '../../infra/server/runtime/command-line';
import { describeUnknown, type Parsed, tool } from '../../packages/command-line/src/index';
import { typescript } from '../support/runner/compiled';
import { inOrder, type Suite, saveDurations, selectFiles, suites, usesSystem } from './files';
import { endProcessesOf, remainingProcessesOf, removeDirectory } from './leftovers';
import { openPool } from './pool';
import { prepare, prepareThirdParty, prerequisiteNames, startStores } from './prerequisites';
import { openReport } from './report';
import { sharedStores } from './stores';
import { wholeSystem } from './whole-system';

/** Scripts of `package.json` that run beside the tests of a suite. */
const checksOf: { readonly [name in Suite['name']]: readonly string[] } = {
  unit: ['check:lint', 'check:types', 'check:arrows', 'check:dead', 'check:client', 'check:words', 'check:format'],
  services: [],
  faults: ['test:bare'],
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const suiteNames = suites.map(({ name }) => name);
const script = process.env.npm_lifecycle_event ?? 'test';

export const program = tool({
  name: script === 'test' ? 'npm test --' : `npm run ${script} --`,
  about: 'Runs tests, against real servers that it starts itself.',
  arguments: [
    {
      name: 'file',
      about: 'a test file, or a part of its path; of every suite (default: all files)',
      many: true,
      optional: true,
    },
  ],
  options: {
    suite: {
      type: 'string',
      value: 'NAME',
      multiple: true,
      about: `a suite: ${suiteNames.join(', ')}; the script names its own, and more than one may be named`,
    },
    check: { type: 'boolean', about: 'also runs the checks of the suites, as npm test does' },
    require: {
      type: 'string',
      value: 'NAME',
      multiple: true,
      about: `fails if this is missing, where its tests are otherwise skipped: ${prerequisiteNames.join(', ')}`,
    },
    plan: { type: 'boolean', about: 'loads each file and lists what would be skipped, and runs nothing' },
    workers: {
      type: 'string',
      value: 'N',
      default: String(availableParallelism() + 1),
      about: 'how many files run at once',
    },
  },
});

type Wanted = Parsed<typeof program>;

const namedSuites = (wanted: readonly string[]): readonly Suite['name'][] => {
  const named = wanted.length === 0 ? suiteNames : wanted;
  const unknown = named.find((name) => !suiteNames.includes(name as Suite['name']));
  if (unknown !== undefined) throw new Error(describeUnknown('suite', unknown, suiteNames));
  return named as readonly Suite['name'][];
};

/** Ends everything that the run started once its input closes, which the end of this process does. */
const startReaper = (directory: string) => {
  const script = join(__dirname, 'reaper.main.ts');
  const reaper = spawn(process.execPath, ['-r', 'tsx/cjs', script, directory], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  reaper.unref();
  return reaper.pid as number;
};

const main = async ({ options: values, arguments: { file: patterns } }: Wanted): Promise<number> => {
  // A file that is named runs whichever suite it is of.
  const required = values.require;
  const unknown = required.find((name) => !prerequisiteNames.includes(name));
  if (unknown !== undefined) throw new Error(describeUnknown('prerequisite', unknown, prerequisiteNames));
  const wanted = namedSuites(values.suite);
  const names = patterns.length === 0 ? wanted : [...wanted, 'faults' as const];
  const selected = prepareThirdParty(selectFiles(names, patterns), print);
  const unmatched = patterns.filter((pattern) => selectFiles(names, [pattern]).length === 0);
  if (unmatched.length > 0) throw new Error(`no test file matches ${unmatched.join(', ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'septet-tests-'));
  // Servers run as another user, who has to pass.
  chmodSync(directory, 0o711);
  process.env.TEST_RUN_DIRECTORY = directory;
  const reaper = startReaper(directory);
  const report = openReport(print);
  const needsServices = selected.some(({ suite }) => suite.name !== 'unit');
  const stores = sharedStores(directory, print);
  const whole = wholeSystem({ directory, stores, print });
  const users = new Set(selected.filter(usesSystem));
  const pool = openPool({
    directory,
    workers: Number(values.workers),
    isPlanOnly: values.plan,
    shared: (name) => (name === 'browser' || name === 'system' ? whole.valueOf(name) : stores.urlOf(name)),
    onFile: (file, result, run) => {
      report.addFile(file, result, run);
      if (users.delete(file) && users.size === 0) void whole.stop();
    },
    onScript: report.addScript,
  });
  const end = async (): Promise<void> => {
    await pool.stop();
    await whole.stop();
    await stores.stop();
    await endProcessesOf(directory, [reaper]);
    removeDirectory(directory);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      print(`\nInterrupted by ${signal}.`);
      void end().then(() => process.exit(130));
    });

  const missing = needsServices ? [...(await prepare(print))] : [];
  typescript();
  if (needsServices) ensureBundle();
  // A part of the suite starts only the stores that it needs.
  const eager = needsServices && patterns.length === 0 && !values.plan;
  if (eager) missing.push(...(await startStores(stores, print)));
  const lacking = required.filter((name) => missing.includes(name));
  if (lacking.length > 0) {
    await end();
    throw new Error(`required, and missing on this machine: ${lacking.join(', ')}`);
  }
  const checks = values.check && patterns.length === 0 ? wanted.flatMap((name) => checksOf[name]) : [];
  await pool.run(inOrder(selected), checks);
  await whole.stop();
  await stores.stop();
  const left = await remainingProcessesOf(directory, [reaper]);
  if (left.length > 0)
    report.fail('the run', `left processes behind: ${left.map(({ command }) => command).join('; ')}`);
  await end();
  saveDurations(report.durations);
  return report.end() && left.length === 0 ? 0 : 1;
};

if (require.main === module)
  main(readArguments(program)).then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
