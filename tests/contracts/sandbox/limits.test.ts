import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { openSandboxes } from '../../../packages/sandbox/src/open-sandboxes';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { exitCode, useSandboxes } from './fixture';

const mebibyte = 1_024 * 1_024;

describe('limits of a sandbox', function () {
  this.timeout(60_000);
  const stage = useSandboxes();

  it('hold for the memory of one process, which fails to allocate', async () => {
    const { end, stdout } = await stage.python('try: bytearray(400 << 20)\nexcept MemoryError: print("no memory")');
    assert.deepEqual([end, stdout], [{ kind: 'exited', code: 0 }, 'no memory\n']);
  });

  it('hold for the memory of all processes together', async () => {
    const program =
      'import os, time\nfor _ in range(4):\n  if os.fork() == 0:\n    b = bytearray(90 << 20)\n    time.sleep(30)\ntime.sleep(30)';
    assert.deepEqual((await stage.python(program)).end, { kind: 'limit', limit: 'memory' });
  });

  it('hold for memory that belongs to no process: files in memory, shared memory', async () => {
    // Pages that a process has given up stay in the shared memory.
    const shared =
      'import mmap, time\nm = mmap.mmap(-1, 512 << 20)\nfor i in range(0, 512 << 20, 8 << 20):\n  m[i:i + (8 << 20)] = bytes(8 << 20); m.madvise(mmap.MADV_DONTNEED, i, 8 << 20)\ntime.sleep(30)';
    assert.deepEqual((await stage.python(shared)).end, { kind: 'limit', limit: 'memory' });
    const file = 'import os\ntry: os.memfd_create("x")\nexcept OSError: print("refused")';
    assert.equal((await stage.python(file)).stdout, 'refused\n');
    const empty = 'import os\nn = 0\nwhile True: os.close(os.open(f"/dev/shm/{n}", os.O_CREAT | os.O_WRONLY)); n += 1';
    assert.deepEqual((await stage.python(empty, { memoryBytes: 64 * mebibyte })).end, {
      kind: 'limit',
      limit: 'memory',
    });
    const full = await stage.run(['sh', '-c', 'head -c 200000000 /dev/zero > /dev/shm/x'], {
      diskBytes: 1_024 * mebibyte,
    });
    assert.match(full.stderr, /No space left/);
    const systemV = 'import ctypes; print(ctypes.CDLL(None).shmget(0, 1 << 30, 0o1600))';
    assert.equal((await stage.python(systemV)).stdout, '-1\n');
  });

  it('hold for processor time, of one process and of many', async () => {
    const one = await stage.run(['sh', '-c', 'while :; do :; done'], { cpuSeconds: 1 });
    assert.deepEqual(one.end, { kind: 'limit', limit: 'cpu-time' });
    const many = await stage.run(['sh', '-c', 'for i in 1 2 3 4; do (while :; do :; done) & done; wait'], {
      cpuSeconds: 1,
    });
    assert.deepEqual(many.end, { kind: 'limit', limit: 'cpu-time' });
    const short = 'while :; do sh -c "i=0; while [ \\$i -lt 20000 ]; do i=\\$((i+1)); done"; done';
    assert.deepEqual((await stage.run(['sh', '-c', short], { cpuSeconds: 1 })).end, {
      kind: 'limit',
      limit: 'cpu-time',
    });
  });

  it('hold for processor time of children that no process waits for', async () => {
    const children =
      'import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n  if os.fork() == 0:\n    while time.process_time() < 0.5: pass\n    os._exit(0)\n  try: os.wait()\n  except ChildProcessError: pass';
    assert.deepEqual((await stage.python(children, { cpuSeconds: 1 })).end, { kind: 'limit', limit: 'cpu-time' });
  });

  it('hold for wall time, whatever signals are ignored', async () => {
    const { end } = await stage.run(['sh', '-c', 'trap "" TERM INT HUP; sleep 60'], { wallSeconds: 0.5 });
    assert.deepEqual(end, { kind: 'limit', limit: 'wall-time' });
  });

  it('hold for processes: a fork bomb starts no more', async () => {
    const bomb =
      'import os, time\nn = 0\nwhile True:\n  try:\n    if os.fork() == 0: time.sleep(30); os._exit(0)\n    n += 1\n  except OSError: break\nprint(n)';
    const { end, stdout } = await stage.python(bomb, { processes: 20 });
    assert.equal(end.kind, 'exited');
    assert.ok(Number(stdout) <= 20 && Number(stdout) >= 10, stdout);
    const shell = await stage.run(['bash', '-c', 'f() { f | f & }; f; sleep 1; echo over'], { wallSeconds: 5 });
    assert.ok(shell.end.kind === 'exited' || shell.end.kind === 'limit');
    assert.equal(exitCode(await stage.run(['true'])), 0);
  });

  it('hold for threads', async () => {
    const threads =
      'import threading, time\nn = 0\ntry:\n  while True: threading.Thread(target=time.sleep, args=(30,), daemon=True).start(); n += 1\nexcept RuntimeError: print(n)';
    assert.ok(Number((await stage.python(threads, { processes: 20 })).stdout) <= 20);
  });

  it('hold for open files', async () => {
    const open = 'n = []\ntry:\n  while True: n.append(open("/dev/null"))\nexcept OSError: print(len(n))';
    assert.ok(Number((await stage.python(open, { openFiles: 50 })).stdout) < 50);
  });

  it('hold for the disk: of one file, of many, of removed ones', async () => {
    const limits = { diskBytes: 20 * mebibyte };
    const one = await stage.run(['sh', '-c', 'exec head -c 100000000 /dev/zero > big'], limits);
    assert.deepEqual(one.end, { kind: 'limit', limit: 'disk' });
    const many = 'for i in 1 2 3 4 5 6; do head -c 8000000 /dev/zero > /tmp/$i; done; sleep 30';
    assert.deepEqual((await stage.run(['sh', '-c', many], limits)).end, { kind: 'limit', limit: 'disk' });
    const removed =
      'import os, time\nf = []\nfor i in range(6):\n  f.append(open("x", "wb")); f[-1].write(bytes(8 << 20)); f[-1].flush(); os.unlink("x")\ntime.sleep(30)';
    assert.deepEqual((await stage.python(removed, limits)).end, { kind: 'limit', limit: 'disk' });
  });

  it('hold for files that hide: below long paths, in directories without rights, without content', async () => {
    const limits = { diskBytes: 20 * mebibyte };
    const deep =
      'import os, time\nfor _ in range(40):\n  os.mkdir("d" * 200); os.chdir("d" * 200)\nfor i in range(6): open(str(i), "wb").write(bytes(15 << 20))\ntime.sleep(30)';
    assert.deepEqual((await stage.python(deep, limits)).end, { kind: 'limit', limit: 'disk' });
    const locked =
      'import os, time\nos.mkdir("d")\nfiles = [open(f"d/{i}", "wb") for i in range(6)]\nos.chmod("d", 0)\nfor f in files: f.write(bytes(15 << 20)); f.flush()\ntime.sleep(30)';
    assert.deepEqual((await stage.python(locked, limits)).end, { kind: 'limit', limit: 'disk' });
    const empty =
      'import os\nn = 0\nwhile True: os.close(os.open("/tmp/" + "x" * 200 + str(n), os.O_CREAT | os.O_WRONLY)); n += 1';
    assert.deepEqual((await stage.python(empty, limits)).end, { kind: 'limit', limit: 'disk' });
  });

  it('hold for output, of which no more arrives', async () => {
    const { end, stdout, stderr } = await stage.run(['sh', '-c', 'yes & yes >&2'], { outputBytes: 100_000 });
    assert.deepEqual(end, { kind: 'limit', limit: 'output' });
    assert.ok(stdout.length + stderr.length <= 100_000);
  });
});

describe('a machine without bubblewrap', () => {
  it('says what to install', async () => {
    const [home, path] = [temporaryDirectory('no-bwrap'), process.env.PATH];
    process.env.PATH = home.path;
    const opened = await openSandboxes({ directory: home.path });
    process.env.PATH = path;
    home.remove();
    assert.ok(isLeft(opened));
    assert.equal(opened.left.detail, 'bwrap is not installed (Debian: bubblewrap).');
  });
});
