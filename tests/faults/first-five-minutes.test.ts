/** The README's first five minutes, from a clean clone to the last command, as it is written there. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../infra/launch/free-port';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { isRunning, type Launched, launch } from '../support/processes/launcher';
import { eventually } from '../support/waiting/eventually';

const shellBlocks = (markdown: string): string =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');

describe("the README's first five minutes", () => {
  const { path: home, remove } = temporaryDirectory('clone');
  const clone = join(home, 'septet');
  let septet: Launched | undefined;

  before(async function () {
    this.timeout(300_000);
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone, stdio: 'pipe' });
    const port = await freePort();
    septet = await launch({ directory: clone, arguments: ['--port', String(port)] });
  });

  after(async () => {
    await septet?.stop();
    remove();
  });

  it('works to the last command', function () {
    this.timeout(120_000);
    assert.ok(septet?.code, 'the launcher prints a sign-in code');
    const written = shellBlocks(readFileSync(join(clone, 'README.md'), 'utf8'));
    const script = written.replace('SEPTET=http://localhost:7070', `SEPTET=${septet.url}`);
    assert.notEqual(script, written, 'the README names the address');
    writeFileSync(join(home, 'script.sh'), `set -eo pipefail\n${script}`);
    const output = execFileSync('bash', [join(home, 'script.sh')], {
      cwd: clone,
      env: { ...process.env, CODE: septet.code },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.match(output, /"principalType":"AI_AGENT"/);
    assert.match(output, /^event: PrincipalSuspended$/m);
    assert.match(output, /SecurityEpochBumped/);
  });

  it('leaves nothing running behind after Ctrl-C', async () => {
    assert.ok(septet);
    const before = septet.processes();
    assert.ok(before.length > 3);
    assert.equal(await septet.stop(), 0);
    // Helpers of a process that has ended notice it on their own, a moment later.
    await eventually(async () => assert.ok(!before.some(({ pid }) => isRunning(pid))));
  });
});
