import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { reasonIn, run } from '../../../../infra/adapters/programs/run-program';
import { majorVersion } from '../../../../infra/operate/launch/servers/elasticsearch/java';
import { ensurePassword } from '../../../../infra/operate/launch/servers/password-file';
import { recordProcess, stopOrphanedServer } from '../../../../infra/operate/launch/servers/pid-file';
import { closedTo, prepareDirectory } from '../../../../infra/operate/launch/servers/server-account';
import { isRecentEnough } from '../../../../infra/operate/launch/servers/valkey-program';
import { endProcess, isRunning, markOf } from '../../../../packages/data-directory/src/process-identity';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const stranger = { uid: 4242, gid: 4242 };

describe('local servers', () => {
  const root = useTemporaryDirectory('launch');
  before(() => chmodSync(root, 0o755));

  it('reads versions as the programs print them', () => {
    assert.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
    assert.equal(majorVersion('java version "1.8.0_401"'), 8);
    assert.equal(majorVersion('openjdk version "24" 2025-03-18'), 24);
    assert.equal(majorVersion('command not found'), undefined);
  });

  it('takes a Redis from 6.2 on', () => {
    assert.ok(isRecentEnough('Redis server v=6.2.0 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64'));
    assert.ok(isRecentEnough('Valkey server v=8.1.1 sha=00000000:0'));
    assert.ok(isRecentEnough('Redis server v=10.0.0'));
    assert.equal(isRecentEnough('Redis server v=6.0.16'), false);
    assert.equal(isRecentEnough('usage: something else'), false);
  });

  it('finds the line that tells why', () => {
    assert.equal(
      reasonIn('starting\n\u001b[31m[ERROR] no such artifact\u001b[0m\n[ERROR] see help\n'),
      '[ERROR] no such artifact',
    );
    assert.equal(
      reasonIn('FATAL:  the database system is starting up\nPANIC: no space left\n'),
      'PANIC: no space left',
    );
    assert.equal(reasonIn('first\nlast\n\n'), 'last');
    assert.equal(reasonIn(''), 'it printed nothing');
    assert.equal(reasonIn('x'.repeat(1000)).length, 300);
  });

  it('answers when a program cannot be started', async () => {
    const result = await run({ program: join(root, 'nowhere'), arguments: [] });
    assert.equal(result.ok, false);
    assert.match(result.output, /ENOENT/);
  });

  it('names the directory that keeps a user out', () => {
    const closed = join(root, 'closed');
    mkdirSync(join(closed, 'inner'), { recursive: true });
    chmodSync(closed, 0o700);
    assert.equal(closedTo(stranger, join(closed, 'inner')), closed);
    assert.equal(closedTo({ ...stranger, uid: statSync(closed).uid }, join(closed, 'inner')), undefined);
    assert.equal(closedTo(stranger, closed), undefined);
    chmodSync(closed, 0o711);
    assert.equal(closedTo(stranger, join(closed, 'inner')), undefined);
  });

  it('keeps a directory of its own around the one of the server', () => {
    const directory = join(root, 'kept', 'postgres');
    prepareDirectory(directory, join(directory, 'data'));
    assert.equal(statSync(directory).mode & 0o007, 0);
    assert.equal(statSync(directory).uid, process.getuid?.());
    assert.equal(statSync(join(directory, 'data')).mode & 0o777, 0o700);
  });

  it('makes a password once, for its owner only', () => {
    const path = join(root, 'password');
    const password = ensurePassword(path);
    assert.match(password, /^[\w-]{32}$/);
    assert.equal(ensurePassword(path), password);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('tells a process from a later one of the same id', async () => {
    const mark = markOf(process.pid);
    assert.ok(mark && isRunning(mark));
    assert.equal(isRunning({ ...mark, started: 'earlier' }), false);
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    assert.equal(markOf(child.pid as number), undefined);
  });

  it('ends a process by force when it does not listen', async () => {
    const script = "process.on('SIGTERM', () => undefined); console.log('on'); setInterval(() => undefined, 1_000)";
    const child = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    const mark = markOf(child.pid as number);
    assert.ok(mark);
    assert.ok(await endProcess(mark, { signal: 'SIGTERM', timeoutMilliseconds: 50 }));
    assert.equal(isRunning(mark), false);
  });

  it('leaves alone a server whose launcher lives, and a stranger with a recorded id', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)']);
    recordProcess(root, child.pid as number);
    const refused = await stopOrphanedServer(root, 'SIGKILL');
    assert.ok(isLeft(refused) && refused.left.includes(`started by process ${process.pid}`));
    const path = join(root, 'process.json');
    const record = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...record, server: { ...record.server, started: 'earlier' } }));
    assert.ok(isRight(await stopOrphanedServer(root, 'SIGKILL')));
    assert.ok(markOf(child.pid as number), 'the stranger lives');
    writeFileSync(path, JSON.stringify({ ...record, launcher: { ...record.launcher, started: 'earlier' } }));
    assert.ok(isRight(await stopOrphanedServer(root, 'SIGKILL')));
    assert.equal(markOf(child.pid as number), undefined);
  });

  it('starts over a record that is cut off', async () => {
    writeFileSync(join(root, 'process.json'), '{"server":{"pid":1');
    assert.ok(isRight(await stopOrphanedServer(root, 'SIGKILL')));
  });
});
