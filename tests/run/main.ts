/**
 * `npm test`, `npm run test:unit`, `npm run test:faults`, and with a file or a part of a name after `--`, that part.
 * Exits with 0 when everything passed, 1 when something failed, 130 when it was interrupted.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBundle } from '../../infra/server/bundle/bundle-cache.cjs';
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

const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    /** More than one may be named. */
    suite: { type: 'string', multiple: true },
    /** Runs the checks of the suites beside the tests. */
    check: { type: 'boolean', default: false },
    /** A prerequisite without which the run fails: where it should be there, its tests are not to be skipped in silence. */
    require: { type: 'string', multiple: true, default: [] },
    /** Loads each file and looks for what it declares, and runs nothing. */
    plan: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism() + 1) },
  },
});

const suiteNames = suites.map(({ name }) => name);

const namedSuites = (): readonly Suite['name'][] => {
  const named = values.suite ?? ['unit', 'services', 'faults'];
  const unknown = named.filter((name) => !suiteNames.includes(name as Suite['name']));
  if (unknown.length > 0)
    throw new Error(`there is no suite ${unknown.join(', ')}; there are ${suiteNames.join(', ')}`);
  return named as Suite['name'][];
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

const main = async (): Promise<number> => {
  // A file that is named runs whichever suite it is of.
  const required = values.require;
  const unknown = required.filter((name) => !prerequisiteNames.includes(name));
  if (unknown.length > 0)
    throw new Error(`no prerequisite is called ${unknown.join(', ')}: ${prerequisiteNames.join(', ')}`);
  const names = patterns.length === 0 ? namedSuites() : [...namedSuites(), 'faults' as const];
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
  const checks = values.check && patterns.length === 0 ? namedSuites().flatMap((name) => checksOf[name]) : [];
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

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
