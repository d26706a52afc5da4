import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isRight, left } from 'fp-ts/Either';
import {
  findRunningProcess,
  isLocked,
  lockDirectory,
  ownProcessName,
} from '../../../packages/data-directory/src/index';
import { fromPs, isRunning, markOf, startOf } from '../../../packages/data-directory/src/process-identity';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { skip } from '../../support/runner/skip';
import { eventually } from '../../support/waiting/eventually';

const claimer = `
  const { lockDirectory } = require('./packages/data-directory/src/index');
  console.log('ready');
  console.log(JSON.stringify(lockDirectory(process.argv[1], 'kept')));
`;

describe('a lock of a directory', () => {
  const home = temporaryDirectory('lock');
  after(() => home.remove());

  const directoryOf = (name: string): string => {
    const directory = `${home.path}/${name}`;
    mkdirSync(directory);
    return directory;
  };

  it('is had by one, and by another one afterwards', () => {
    const directory = directoryOf('one');
    const first = lockDirectory(directory, 'kept');
    assert.ok(isRight(first) && isLocked(directory, 'kept'));
    assert.deepEqual(lockDirectory(directory, 'kept'), left(process.pid));
    first.right.release();
    assert.equal(isLocked(directory, 'kept'), false);
    assert.ok(isRight(lockDirectory(directory, 'kept')));
  });

  it('is free when its holder is dead, or its file is empty', () => {
    for (const [index, held] of ['2147483646 1', '', '../../x y'].entries()) {
      const directory = directoryOf(`gone-${index}`);
      writeFileSync(`${directory}/kept.lock`, held);
      assert.equal(isLocked(directory, 'kept'), false);
      assert.ok(isRight(lockDirectory(directory, 'kept')));
      assert.deepEqual(readdirSync(directory), ['kept.lock']);
    }
  });

  it('tells a process from another one that got its number', function () {
    if (!existsSync('/proc/self/stat')) skip(this, 'process start times: there is no /proc here');
    const directory = directoryOf('recycled');
    writeFileSync(`${directory}/kept.lock`, ownProcessName());
    assert.ok(isLocked(directory, 'kept'));
    writeFileSync(`${directory}/kept.lock`, `${process.pid} 1`);
    assert.equal(isLocked(directory, 'kept'), false);
  });

  it('is free when its holder has ended and nothing waited for it', async function () {
    if (!existsSync('/proc/self/stat')) skip(this, 'states of processes: there is no /proc here');
    // The program that takes the shell's place waits for no child.
    const parent = spawn('sh', ['-c', 'exec 3<&0; { read line <&3; } & echo $!; exec sleep 60'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const pid = Number((await createInterface(parent.stdout)[Symbol.asyncIterator]().next()).value);
    const fields = (): readonly string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    await eventually(async () => assert.equal(readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), 'sleep\n'));
    parent.stdin.end();
    await eventually(async () => assert.equal(fields()[0], 'Z'));
    const started = fields().at(19) ?? '';
    const directory = directoryOf('zombie');
    writeFileSync(`${directory}/kept.lock`, `${pid} ${started}`);
    assert.equal(startOf(pid), 'ended');
    assert.equal(isRunning({ pid, started }), false);
    assert.equal(isLocked(directory, 'kept'), false);
    assert.ok(isRight(lockDirectory(directory, 'kept')));
    parent.kill('SIGKILL');
  });

  it('is of a process that runs, also where only ps knows when it started', async function () {
    const known = startOf(process.pid, fromPs);
    if (known === 'unknown') skip(this, 'process start times: there is no ps here');
    assert.ok(typeof known === 'object' && /\d{4}$/.test(known.at));
    assert.equal(startOf(2_147_483_646, fromPs), 'ended');
    assert.equal(findRunningProcess(ownProcessName()), process.pid);
    // As written before start times were read there.
    assert.equal(findRunningProcess(`${process.pid} `), process.pid);
    const mark = markOf(process.pid) ?? assert.fail('this process runs');
    assert.equal(ownProcessName(), `${mark.pid} ${mark.started}`.replaceAll(/(?<=\S .*)\s+/g, '_'));
    assert.ok(isRunning(mark));
  });

  it('is not taken from who was faster to find it stale', async () => {
    const directory = directoryOf('faster');
    writeFileSync(`${directory}/kept.lock`, '2147483646 1');
    const removal = lockDirectory(directory, 'kept-2147483646-1');
    assert.ok(isRight(removal));
    const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', claimer, directory]);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'ready');
    writeFileSync(`${directory}/own`, ownProcessName());
    renameSync(`${directory}/own`, `${directory}/kept.lock`);
    removal.right.release();
    assert.deepEqual(JSON.parse((await lines.next()).value as string), left(process.pid));
  });
});
