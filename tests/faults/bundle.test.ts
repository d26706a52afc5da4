/** The bundle that everything runs from: made once for the same sources, whole or not at all. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { eventually } from '../support/waiting/eventually';

const root = join(__dirname, '..', '..');
/** Of all entry points there is one, beside the program that reads files: a build takes a second. */
const isCopied = (path: string): boolean => {
  const name = basename(path);
  return (
    name === 'build.main.ts' ||
    name === 'read-file.main.ts' ||
    !/^(node_modules|target|dist|(.+\.)?main\.ts)$/.test(name)
  );
};

const failing = `import { version } from '../../server/runtime/version';

const fail = (reason: string): never => {
  throw new Error(reason);
};

if (process.argv[2] === 'stack')
  try {
    fail('wanted');
  } catch (error) {
    console.log((error as Error).stack);
  }
else console.log('version', version, process.argv.slice(2).join());
`;

describe('the bundle', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('bundle');
  const checkout = join(home.path, 'checkout');
  const cache = join(checkout, 'node_modules', '.cache', 'septet-bundles');
  const main = join(checkout, 'infra', 'operate', 'launch', 'sample.main.ts');
  const run = (...args: readonly string[]) =>
    promisify(execFile)(
      process.execPath,
      ['infra/server/bundle/run.cjs', 'infra/operate/launch/sample.main', ...args],
      {
        cwd: checkout,
      },
    );
  const bundles = (): readonly string[] => readdirSync(cache);
  before(() => {
    for (const folder of ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages', 'docs'])
      cpSync(join(root, folder), join(checkout, folder), { recursive: true, filter: isCopied });
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'README.md'])
      cpSync(join(root, file), join(checkout, file));
    mkdirSync(join(checkout, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== '.cache'))
      symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
    writeFileSync(main, failing);
  });
  after(() => home.remove());

  it('is made once by two that start at once, and leaves nothing of a build that was killed', async () => {
    const killed = spawn(process.execPath, ['infra/server/bundle/run.cjs', 'infra/operate/launch/sample.main'], {
      cwd: checkout,
      stdio: 'ignore',
      detached: true,
    });
    await eventually(async () => assert.ok(existsSync(cache) && bundles().length > 0));
    const ended = once(killed, 'exit');
    process.kill(-(killed.pid as number), 'SIGKILL');
    await ended;
    assert.ok(bundles().every((name) => name.includes('.')));
    const [one, other] = await Promise.all([run('one', 'two'), run('three')]);
    assert.match(one.stdout, /^version \d+\.\d+\.\d+ one,two$/m);
    assert.match(other.stdout, /^version \d+\.\d+\.\d+ three$/m);
    assert.equal(bundles().filter((name) => !name.includes('.')).length, 1);
    const { stderr } = await run();
    assert.equal(stderr, '');
  });

  it('names the source and its line in stacks', async () => {
    const { stdout } = await run('stack');
    assert.match(stdout, /^Error: wanted\n {4}at fail \(infra\/operate\/launch\/sample\.main\.ts:4:9\)\n/);
  });

  it('is another for an edited source', async () => {
    appendFileSync(main, `\nconsole.log('edited');\n`);
    const { stdout, stderr } = await run();
    assert.match(stderr, /building/);
    assert.match(stdout, /edited/);
  });

  it('does not become one where a source cannot be compiled', async () => {
    appendFileSync(main, '\nconst = 1;\n');
    const before = bundles();
    await assert.rejects(run(), /sample\.main\.ts/);
    assert.deepEqual(bundles(), before);
  });

  it('is in the data directory of a checkout that is read-only', async () => {
    writeFileSync(main, failing);
    const data = join(home.path, 'data');
    // Root may write anywhere: for it, too, a file is in the way.
    rmSync(join(checkout, 'node_modules', '.cache'), { recursive: true });
    writeFileSync(join(checkout, 'node_modules', '.cache'), '');
    const { stdout } = await run('--data', data);
    assert.match(stdout, /^version/m);
    assert.equal(readdirSync(join(data, 'bundles')).length, 1);
  });
});
