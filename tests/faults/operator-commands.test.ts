/** Every command that the page for operators shows, run as it stands there, on a running system. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstAdmin } from '../../domain/identity/ids';
import { freePort } from '../../infra/operate/launch/free-port';
import { documentedCommands, expandUsage } from '../support/documents/documented-commands';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { signIn } from '../support/identity/admin';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { type Ended, runScript } from '../support/processes/package-scripts';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');

/** They change how this system runs, or need other systems: each has tests of its own. */
const elsewhere: Readonly<Record<string, string>> = {
  start: 'tests/e2e/launch.test.ts',
  restore: 'tests/faults/backup.test.ts',
  move: 'tests/faults/moved-log.test.ts',
  runner: 'tests/e2e/documented.test.ts',
  'places:load': 'tests/faults/place-imports.test.ts',
  bench: 'tests/bench',
  screenshots: 'tests/browser/layout.test.ts',
  'test:services': 'these tests',
  'test:faults': 'these tests',
};

/** Answers where there is nothing to do, or the machine has no such device. */
const answers: Readonly<Record<string, readonly [code: number, output: RegExp]>> = {
  'processes replay': [1, /^There is no dead letter job\.$/m],
  'processes drop': [1, /^There is no dead letter job\.$/m],
  'keys replace': [1, /^The active keys are in this keystore: rotate or revoke them\.$/m],
  'keys rewrap': [2, /NEW_MASTER_KEY/],
  'keys provision': [2, /^Set KMS=pkcs11, /m],
};

/** Names a command without its arguments. */
const isReference = (script: string, usage: string): boolean =>
  usage.includes('<command>') || usage.endsWith('…') || (script === 'eventstore' && !usage.includes(' '));

describe('commands of the page for operators', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('operator-commands');
  const data = join(home.path, 'data');
  let septet: Launched;
  const stream = `identity.principal-main.${firstAdmin}`;
  let made = 0;

  before(async () => {
    linkTools(data);
    const port = await freePort();
    // Elasticsearch is in none of them, and takes the longest to start.
    const env = { JAVA_HOME: '/nowhere' };
    septet = await launch({ directory: process.cwd(), arguments: ['--data', data, '--port', String(port)], env });
    await signIn(septet.url, septet.code as string);
  });
  after(async () => {
    await septet.stop();
    home.remove();
  });

  const run = (script: string, args: readonly string[]): Promise<Ended> =>
    runScript(script, args, { env: { DATA_DIR: data } });

  const activeKey = async (): Promise<string> => {
    const { stdout } = await run('keys', ['status']);
    return /^(\S+) .* active /m.exec(stdout)?.[1] ?? assert.fail(stdout);
  };

  /** A value in place of what stands for one. */
  const valueFor = async (word: string, option: string | undefined): Promise<string> => {
    made += 1;
    const fresh = join(home.path, `made-${made}`);
    if (option === '--data') return data;
    if (option === '--out' || option === '--forgotten') return fresh;
    if (option === '--reason') return 'A drill.';
    if (option === '--name') return 'Globex Corporation';
    switch (word) {
      case 'view':
        return 'identity_principals';
      case 'process':
        return 'run-import-on-started';
      case 'stream':
        return stream;
      case 'revision':
        return '0';
      case 'N':
        return '1000000';
      case 'kid':
        return activeKey();
      case 'tenant-id':
        return 'initech';
      case 'file':
      case 'directory':
      case 'secrets':
        return fresh;
      default:
        return word;
    }
  };

  const concrete = async (args: readonly string[]): Promise<readonly string[]> => {
    const values: string[] = [];
    for (const [index, word] of args.entries()) {
      const option = args[index - 1]?.startsWith('--') === true ? args[index - 1] : undefined;
      values.push(word.startsWith('--') ? word : await valueFor(word, option));
    }
    return values;
  };

  const commands = documentedCommands(page).flatMap(({ script, usage }) =>
    usage === undefined || isReference(script, usage) || script in elsewhere ? [] : [{ script, usage }],
  );

  it('are on a system that started without a warning, with the time, the count and the log of each part', () => {
    const output = septet.output();
    assert.doesNotMatch(output, /warning|error/i);
    assert.match(output, /^ +\d+\.\d s {2}postgres +creating its database \(log: \S+postgres\/output\.log\)$/m);
    assert.match(output, /^ +\d+\.\d s {2}gateway +ready, \d+ of \d+ \(log: \S+logs\/gateway\.log\)$/m);
  });

  for (const { script, usage } of commands)
    it(`npm run ${script} -- ${usage}`, async () => {
      for (const args of expandUsage(usage)) {
        const [code, output] = answers[`${script} ${args[0]}`] ?? [0, /./];
        const given = await concrete(args);
        const ended = await run(script, script === 'eventstore' ? given.map(toLog) : given);
        const printed = `${ended.stdout}${ended.stderr}`;
        assert.equal(ended.code, code, `npm run ${script} -- ${given.join(' ')}\n${printed}`);
        assert.match(printed, output);
      }
    });

  /** The event store's directory is one of the data directory. */
  const toLog = (value: string): string => (value === data ? join(data, 'eventstore') : value);
});
