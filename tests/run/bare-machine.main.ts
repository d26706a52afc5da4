/**
 * `npm run test:bare`: the suites as on a machine that has Node alone, in short. Every file is loaded there, and those below, which need one thing each,
 * are run: each is skipped with its reason, and nothing fails. `npm run test:faults` does this beside its tests.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../infra/server/runtime/command-line';
import { tool } from '../../packages/command-line/src/index';
import { noChromium } from '../support/browser/chromium';
import { prerequisites } from '../support/runner/prerequisites';
import { noS3 } from '../support/servers/s3-server';

/** Files, and why their tests are skipped. */
const representatives: readonly (readonly [file: string, reason: string])[] = [
  ['browser/names', noChromium],
  ['contracts/workflow/git-repositories', prerequisites.git.reason],
  ['infra/map-doc', prerequisites.git.reason],
  ['packages/runner/tests/hash-files', prerequisites.isolation.reason],
  ['contracts/sandbox/escapes', prerequisites.isolation.reason],
  ['packages/runner/tests/protocol', prerequisites.bash.reason],
  ['faults/packages/packages', prerequisites.npm.reason],
  ['contracts/eventstore-node/server/certificates', prerequisites.openssl.reason],
  ['contracts/eventstore-node/server/flush', prerequisites.compiler.reason],
  ['contracts/kms/pkcs11', prerequisites.device.reason],
  ['contracts/blobs/s3/faults', noS3],
  ['contracts/blobs/local/full-disk', prerequisites.mount.reason],
  [
    'contracts/views/indexes',
    'elasticsearch: There is no Java 17 or later on this machine, and no python3 on the PATH',
  ],
  [
    'contracts/read-api/names',
    'elasticsearch: There is no Java 17 or later on this machine, and no python3 on the PATH',
  ],
  [
    'contracts/ratelimit/store/concurrent-processes',
    'valkey: There is no valkey-server, redis-server or python3 on the PATH',
  ],
  ['contracts/workflow/run-routes', 'valkey: There is no valkey-server, redis-server or python3 on the PATH'],
];
/** What needs nothing is run there all the same. */
const always = ['infra/operate/launch/servers', 'contracts/event-store/filtered-reads'];

export const program = tool({
  name: 'npm run test:bare --',
  about: 'Runs the suites, in short, as on a machine that has Node alone, and lists what is skipped there.',
});
if (require.main === module) readArguments(program);

const home = mkdtempSync(join(tmpdir(), 'septet-bare-'));
const bin = join(home, 'bin');
// Servers run as another user, who has to pass.
chmodSync(home, 0o711);
mkdirSync(bin);

/** Stores elsewhere, programs named by variables, and what earlier runs fetched are not there either. */
const ofMachine = /^(?:CHROMIUM|JAVA_HOME|S3_.*|(?:POSTGRES|REDIS|ELASTICSEARCH|EVENTSTORE)_URL|TEST_.*|npm_.*)$/;
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofMachine.test(name))),
  PATH: bin,
  HOME: home,
  TMPDIR: home,
  TEST_TOOLS_DIRECTORY: join(home, 'tools'),
};

const run = (...args: readonly string[]): string => {
  const script = ['-r', 'tsx/cjs', join(__dirname, 'main.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, script, { env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stdout.slice(-20_000)}\n${stderr}`);
  return stdout;
};

const linesAfter = (output: string, heading: string): string => output.slice(output.lastIndexOf(heading));

const main = (): void => {
  const planned = run('--plan', '--suite', 'faults', '--suite', 'services', '--suite', 'unit', '--workers', '2');
  const ran = run('--workers', '2', ...representatives.map(([file]) => file), ...always);
  const skipped = linesAfter(ran, '\nSkipped:');
  const unskipped = representatives.filter(([, reason]) => !skipped.includes(reason));
  if (unskipped.length > 0)
    throw new Error(`not skipped as expected: ${unskipped.map(([file]) => file).join(', ')}\n${ran.slice(-20_000)}`);
  process.stdout.write(`${linesAfter(planned, '\nSkipped:')}${skipped}`);
};

try {
  if (require.main === module) main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
