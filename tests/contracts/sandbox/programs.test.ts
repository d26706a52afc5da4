import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { typescript } from '../../support/runner/compiled';
import { eventually } from '../../support/waiting/eventually';
import { expectSuccess } from '../blobs/suite/store-calls';
import { exitCode, resultOf, useSandboxes } from './fixture';

/** Programs of the machine whose command line has this word. */
const processesWith = (word: string): readonly string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    });

describe('programs in a sandbox', function () {
  this.timeout(60_000);
  const stage = useSandboxes();

  it('get their arguments, environment and input, and their output and exit code come back', async () => {
    process.env.SEPTET_SECRET_OF_THE_TEST = 'secret';
    const program =
      'import os, sys; print(sys.argv[1:], os.environ["COLOUR"], len(sys.stdin.read())); print("oops", file=sys.stderr); print(sorted(os.environ)); sys.exit(7)';
    const result = await stage.run(
      ['python3', '-c', program, 'a b', '"c"'],
      {},
      {
        environment: { COLOUR: 'blue ü' },
        stdin: [Buffer.alloc(300_000, 'x'), Buffer.from('yz')],
      },
    );
    delete process.env.SEPTET_SECRET_OF_THE_TEST;
    assert.equal(exitCode(result), 7);
    assert.match(result.stdout, /^\['a b', '"c"'\] blue ü 300002\n/);
    assert.equal(result.stderr, 'oops\n');
    assert.doesNotMatch(result.stdout, /SECRET/);
  });

  it('find what was put into the directory, and leave their results there, from one to the next', async () => {
    const sandbox = await stage.prepare();
    writeFileSync(join(sandbox.directory, 'input'), 'hello');
    const first = await resultOf(
      expectSuccess(await sandbox.exec({ argv: ['sh', '-c', 'tr a-z A-Z < input > output; mkdir -p deep; pwd'] })),
    );
    assert.equal(first.stdout, '/work\n');
    assert.equal(readFileSync(join(sandbox.directory, 'output'), 'utf8'), 'HELLO');
    const second = await resultOf(
      expectSuccess(await sandbox.exec({ argv: ['cat', '../output'], directory: '/work/deep' })),
    );
    assert.equal(second.stdout, 'HELLO');
    await sandbox.destroy();
    assert.ok(!existsSync(sandbox.directory));
  });

  it('read inputs of the machine and cannot change them', async () => {
    const home = mkdtempSync(join(tmpdir(), 'septet-input-'));
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'model'), 'weights');
    const sandbox = await stage.prepare({}, { inputs: [{ source: home, target: '/models' }] });
    const argv = ['sh', '-c', 'cat /models/model; echo x > /models/model; rm /models/model; touch /models/other'];
    const result = await resultOf(expectSuccess(await sandbox.exec({ argv })));
    assert.equal(result.stdout, 'weights');
    assert.deepEqual([readdirSync(home), readFileSync(join(home, 'model'), 'utf8')], [['model'], 'weights']);
    await sandbox.destroy();
    rmSync(home, { recursive: true });
  });

  it('answer how they ended: by a signal, or because there is no such program', async () => {
    assert.deepEqual((await stage.run(['sh', '-c', 'kill -TERM $$'])).end, { kind: 'signalled', signal: 'SIGTERM' });
    const missing = await stage.run(['no-such-program']);
    assert.deepEqual([exitCode(missing), missing.stderr], [127, 'no-such-program: not found\n']);
  });

  it('receive signals, all of their processes', async () => {
    const sandbox = await stage.prepare();
    const script =
      'trap "echo child; exit 0" TERM; (trap "echo grandchild; exit 0" TERM; echo ready; while :; do sleep 0.05; done) & wait; wait';
    const program = expectSuccess(await sandbox.exec({ argv: ['bash', '-c', script] }));
    const result = resultOf(program);
    await once(program.stdout, 'readable');
    program.signal('SIGTERM');
    const { stdout } = await result;
    assert.match(stdout, /child/);
    await sandbox.destroy();
  });

  it('write as fast as they are read', async () => {
    const sandbox = await stage.prepare({ outputBytes: 1_000_000_000 });
    const program = expectSuccess(await sandbox.exec({ argv: ['sh', '-c', 'head -c 20000000 /dev/zero; touch done'] }));
    program.stderr.resume();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(!existsSync(join(sandbox.directory, 'done')), 'it waits for its reader');
    let bytes = 0;
    for await (const chunk of program.stdout) bytes += (chunk as Buffer).length;
    assert.deepEqual([bytes, (await program.ended).kind], [20_000_000, 'exited']);
    await sandbox.destroy();
  });

  it('leave no process behind: daemons that ignore signals end with the program, and with the sandbox', async () => {
    const daemon =
      'import os, signal, time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\n"""word-of-a-daemon"""\ntime.sleep(600)';
    const result = await stage.run(['sh', '-c', 'python3 -c "$0" > /dev/null 2>&1; echo started', daemon]);
    assert.equal(result.stdout, 'started\n');
    assert.deepEqual(processesWith('word-of-a-daemon'), []);
    const sandbox = await stage.prepare();
    const program = expectSuccess(await sandbox.exec({ argv: ['sh', '-c', 'python3 -c "$0"; sleep 600', daemon] }));
    await eventually(async () => assert.ok(processesWith('word-of-a-daemon').length > 1));
    await sandbox.destroy();
    assert.deepEqual(await program.ended, { kind: 'destroyed' });
    assert.deepEqual(processesWith('word-of-a-daemon'), []);
    const after = await sandbox.exec({ argv: ['true'] });
    assert.ok(isLeft(after));
  });

  it('leave no files behind, however deep they lie and whatever rights they have', async () => {
    const sandbox = await stage.prepare();
    const script =
      'import os\nos.mkdir("locked"); os.mkdir("locked/inner"); os.chmod("locked/inner", 0); os.chmod("locked", 0)\nfor _ in range(40):\n  os.mkdir("d" * 200); os.chdir("d" * 200)';
    await resultOf(expectSuccess(await sandbox.exec({ argv: ['python3', '-c', script] })));
    await sandbox.destroy();
    assert.ok(!existsSync(join(sandbox.directory, '..')));
  });

  it('do not run when the service is killed while it starts them, and the next one ends what was left', async () => {
    const home = mkdtempSync(join(tmpdir(), 'septet-orphans-'));
    chmodSync(home, 0o711);
    for (let milliseconds = 0; milliseconds < 16; milliseconds += 2) {
      const starter = [...typescript(), join(__dirname, 'starter.main.ts'), home, String(milliseconds)];
      await once(spawn(process.execPath, starter, { stdio: 'ignore' }), 'exit');
    }
    execFileSync(process.execPath, [...typescript(), join(__dirname, 'starter.main.ts'), home, 'open-only']);
    await eventually(async () => assert.deepEqual(processesWith('word-of-an-orphan'), []));
    assert.deepEqual(readdirSync(home), []);
    rmSync(home, { recursive: true });
  });

  it('end when the process that started them is killed, and the next one removes their files', async () => {
    const home = mkdtempSync(join(tmpdir(), 'septet-orphans-'));
    chmodSync(home, 0o711);
    const starter = [...typescript(), join(__dirname, 'starter.main.ts'), home];
    const child = spawn(process.execPath, starter, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'readable');
    assert.ok(processesWith('word-of-an-orphan').length > 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await eventually(async () => assert.deepEqual(processesWith('word-of-an-orphan'), []));
    assert.equal(readdirSync(home).length, 1);
    execFileSync(process.execPath, [...typescript(), join(__dirname, 'starter.main.ts'), home, 'open-only']);
    assert.deepEqual(readdirSync(home), []);
    rmSync(home, { recursive: true });
  });
});
