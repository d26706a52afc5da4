/** The README's first five minutes, from a clean clone to the last command, as it is written there. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../infra/operate/launch/free-port';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { runDocument } from '../support/documents/run-document';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { isRunning, type Launched, launch } from '../support/processes/launcher';
import { needs } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';

describe("the README's first five minutes", () => {
  const { path: home, remove } = temporaryDirectory('clone');
  const clone = join(home, 'septet');
  let septet: Launched | undefined;

  needs('git', 'npm', 'bash', 'curl');
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

  it('begins with the commands that brought this up', () => {
    const [first] = codeBlocksOf('README.md').filter(({ language }) => language === 'console');
    assert.equal(first?.text, '$ npm ci && npm start\n');
  });

  it('works to the last command', async function () {
    this.timeout(240_000);
    assert.ok(septet?.code, 'the launcher prints a sign-in code');
    const place = { directory: clone, url: septet.url, env: { CODE: septet.code }, isLong: true };
    const output = await runDocument({ document: 'README.md' }, place);
    assert.match(output, /"principalType":"AI_AGENT"/);
    assert.match(output, /event: PrincipalSuspended$/m);
    assert.match(output, /SecurityEpochBumped/);
    assert.match(output, /^PIPELINE ACTIVE\n404 not-found$/m);
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
