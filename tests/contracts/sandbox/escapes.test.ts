/** Programs that try to get out: to files, processes, the network and the kernel of the machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { ExecRequest } from '../../../packages/sandbox/src/ports';
import { expectSuccess } from '../blobs/suite/store-calls';
import { exitCode, resultOf, roomyLimits, useSandboxes } from './fixture';

describe('programs that try to leave a sandbox', function () {
  this.timeout(60_000);
  const stage = useSandboxes();
  const shell = (script: string) => stage.run(['bash', '-c', script]);

  it('see no file of the machine but its programs', async () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'septet-secret-')), 'secret');
    writeFileSync(secret, 'the secret', { mode: 0o644 });
    chmodSync(join(secret, '..'), 0o755);
    const places = [
      secret,
      '/etc/shadow',
      '/etc/hostname',
      homedir(),
      process.cwd(),
      '/var',
      '/run',
      '/sys',
      '/boot',
      '/mnt',
    ];
    const { stdout } = await stage.python(
      `import os\nprint([p for p in ${JSON.stringify(places)} if os.path.exists(p)])`,
    );
    assert.equal(stdout, '[]\n');
    const climbing = await shell(`cat /proc/1/root${secret} /proc/self/cwd/../..${secret}; cd ../../../..; pwd; ls`);
    assert.doesNotMatch(climbing.stdout, /the secret/);
    assert.match(climbing.stdout, /^\/$/m);
    rmSync(join(secret, '..'), { recursive: true });
  });

  it('write nowhere but in their directories', async () => {
    const places = [
      '/usr/bin/x',
      '/etc/passwd',
      '/x',
      '/dev/x',
      '/bin/sh',
      '/proc/sys/kernel/hostname',
      '/proc/sysrq-trigger',
    ];
    const { stdout } = await stage.python(
      `for p in ${JSON.stringify(places)}:\n  try:\n    open(p, "a").write("x"); print(p)\n  except OSError: pass`,
    );
    assert.equal(stdout, '');
  });

  it('leave links and devices in their directory that lead nowhere for who reads it', async () => {
    const sandbox = await stage.prepare();
    const script =
      'ln -s /etc/shadow link; ln /etc/passwd hard; mknod disk b 8 0; mkfifo pipe; chmod 4755 link; cp /bin/true suid; chmod 6755 suid';
    await resultOf(expectSuccess(await sandbox.exec({ argv: ['sh', '-c', script] })));
    const inside = (name: string) => join(sandbox.directory, name);
    assert.ok(lstatSync(inside('link')).isSymbolicLink(), 'readers must not follow links');
    for (const name of ['hard', 'disk']) assert.ok(!existsSync(inside(name)), name);
    // Of a user that no account has.
    if (process.getuid?.() === 0) assert.ok(lstatSync(inside('suid')).uid > 1_000_000);
    await sandbox.destroy();
  });

  it('see no process of the machine, signal none, and look into none', async () => {
    const own = await stage.python('import os\nprint(sorted(int(p) for p in os.listdir("/proc") if p.isdigit()))');
    assert.ok(
      (JSON.parse(own.stdout) as readonly number[]).every((pid) => pid < 10),
      own.stdout,
    );
    const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
    const signals = await shell(
      `kill -9 ${victim.pid}; echo $?; cat /proc/${victim.pid}/environ; kill -9 -1; echo alive`,
    );
    assert.match(signals.stdout, /^1\n/);
    assert.ok(victim.kill('SIGTERM'));
    assert.deepEqual(await once(victim, 'exit'), [null, 'SIGTERM']);
    const environ = await shell(
      'tr "\\0" "\\n" < /proc/1/environ; cat /proc/1/maps > /dev/null && echo maps; ls -l /proc/1/fd',
    );
    assert.doesNotMatch(environ.stdout, /HOME=\/root|npm_|NODE_|SEPTET/);
    const traced = `import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.ptrace(16, ${process.pid}, 0, 0))`;
    assert.equal((await stage.python(traced)).stdout, '-1\n');
  });

  it('inherit no open file of the service', async () => {
    const { stdout } = await stage.python('import os\nprint(sorted(int(f) for f in os.listdir("/proc/self/fd")))');
    assert.deepEqual(JSON.parse(stdout), [0, 1, 2, 3]);
  });

  it('reach no network, not even that of the machine itself', async () => {
    const server = createServer((_, response) => response.end('inside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = `import socket\nfor a in [("127.0.0.1", ${port}), ("169.254.169.254", 80), ("1.1.1.1", 53)]:\n  try: socket.create_connection(a, 1); print("reached", a)\n  except OSError: pass\ntry: print(socket.getaddrinfo("example.org", 80))\nexcept OSError: pass\ntry:\n  s = socket.socket(socket.AF_UNIX); s.connect("\\0septet"); print("abstract")\nexcept OSError: pass\ntry: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print("raw")\nexcept OSError: pass`;
    assert.equal((await stage.python(call)).stdout, '');
    const named = await stage.prepare({}, { network: 'host' });
    const allowed = await resultOf(
      expectSuccess(await named.exec({ argv: ['python3', '-c', call.slice(0, call.indexOf('try: print'))] })),
    );
    assert.match(allowed.stdout, new RegExp(`reached \\('127.0.0.1', ${port}\\)`));
    await named.destroy();
    server.close();
  });

  it('get no rights: no mounts, namespaces, capabilities, or programs that run as others', async () => {
    const script =
      'mount -t tmpfs x /tmp; unshare -U true; unshare -m true; unshare -n true; chroot / true; su -c id; hostname other; date -s 2020-01-01; grep -E "CapEff|CapBnd|NoNewPrivs|Seccomp:" /proc/self/status';
    const { stdout } = await shell(script);
    assert.match(stdout, /CapEff:\s+0{16}\n/);
    assert.match(stdout, /CapBnd:\s+0{16}\n/);
    assert.match(stdout, /NoNewPrivs:\s+1\n/);
    assert.match(stdout, /Seccomp:\s+2\n/);
    for (const command of [
      'mount -t tmpfs x /tmp',
      'unshare -U true',
      'unshare -m true',
      'chroot / true',
      'hostname other',
    ])
      assert.notEqual(exitCode(await shell(command)), 0, command);
  });

  it('gain nothing by programs of the machine that run as their owner', async () => {
    const program =
      'import os, subprocess\nfor p in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"):\n  if os.path.exists(p): print(subprocess.run([p, "--version"], capture_output=True).returncode >= 0, bool(os.statvfs(p).f_flag & os.ST_NOSUID))';
    const { stdout } = await stage.python(program);
    assert.match(stdout, /^(True True\n)+$/);
    const identity = await shell('su -s /bin/sh -c id root < /dev/null; id -u');
    assert.equal(identity.stdout, '1000\n');
  });

  it('get no answer from parts of the kernel that they do not need', async () => {
    const calls = { keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323, io_uring_setup: 425, shmget: 29 };
    if (process.arch !== 'x64') return;
    const { stdout } = await stage.python(
      `import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nfor n in ${JSON.stringify(Object.values(calls))}:\n  print(c.syscall(n, 0, 0, 0, 0, 0), ctypes.get_errno())`,
    );
    assert.equal(stdout, '-1 38\n'.repeat(Object.keys(calls).length));
  });

  it('cannot type into the terminal that the service was started from', async () => {
    const { stdout } = await stage.python(
      'import fcntl, os\ntry:\n  fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x"); print("typed")\nexcept OSError: pass',
    );
    assert.equal(stdout, '');
  });

  it('see nothing of another sandbox', async () => {
    const [one, other] = [await stage.prepare(), await stage.prepare()];
    const write = expectSuccess(
      await one.exec({
        argv: ['sh', '-c', 'echo secret > /tmp/x; echo secret > x; echo secret > /dev/shm/x; sleep 5'],
      }),
    );
    const reading = 'sleep 0.3; cat /tmp/x /work/x /dev/shm/x; ls /work /tmp; ps ax | grep -c "sleep 5"';
    const { stdout } = await resultOf(expectSuccess(await other.exec({ argv: ['sh', '-c', reading] })));
    assert.doesNotMatch(stdout, /secret/);
    await one.destroy();
    await other.destroy();
    assert.equal((await write.ended).kind, 'destroyed');
    assert.ok(!existsSync(one.directory));
  });

  it('cannot be started with texts that bubblewrap would read as its own options', async () => {
    const sandbox = await stage.prepare();
    const options = '\0--ro-bind\0/etc\0/mnt';
    const requests: readonly ExecRequest[] = [
      { argv: ['cat', '/mnt/passwd'], directory: `/${options}` },
      { argv: ['cat', '/mnt/passwd'], environment: { NAME: `x${options}` } },
      { argv: ['cat', '/mnt/passwd'], environment: { [`NAME${options}`]: 'x' } },
      { argv: ['cat', `x${options}`] },
    ];
    for (const request of requests) {
      const refused = await sandbox.exec(request);
      assert.equal(isLeft(refused) && refused.left.code, 'program-refused');
    }
    await sandbox.destroy();
    const inputs = [{ source: '/usr', target: `/mnt/usr${options}` }];
    assert.ok(isLeft(await stage.sandboxes().prepare({ inputs, limits: roomyLimits })));
  });

  it('cannot be started with more arguments or variables than the kernel takes', async () => {
    const sandbox = await stage.prepare();
    const long = 'x'.repeat(90_000);
    const requests: readonly ExecRequest[] = [
      { argv: [] },
      { argv: ['true', long + long] },
      { argv: ['true', ...Array<string>(20).fill(long)] },
      { argv: ['true'], environment: { LONG: long + long } },
      { argv: ['true'], environment: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`V${i}`, 'x'])) },
    ];
    for (const request of requests) {
      const refused = await sandbox.exec(request);
      assert.equal(isLeft(refused) && refused.left.code, 'program-refused');
    }
    const most = await sandbox.exec({ argv: ['true', ...Array<string>(8).fill(long)], environment: { LONG: long } });
    assert.equal(exitCode(await resultOf(expectSuccess(most))), 0);
    await sandbox.destroy();
  });

  it('have environments that no other user reads, and arguments that are no options of ours', async () => {
    const sandbox = await stage.prepare();
    const program = expectSuccess(
      await sandbox.exec({
        argv: ['sleep', '5'],
        environment: { TOKEN: 'secret-of-a-step', LD_PRELOAD: '/work/x.so' },
      }),
    );
    const lines = readdirSync('/proc').map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
    assert.ok(lines.some((line) => line.includes('bwrap')));
    assert.ok(!lines.some((line) => line.includes('secret-of-a-step')));
    await sandbox.destroy();
    await program.ended;
    const strange = await stage.run(['printf', '%s', '--setenv\n\u0001"$(id)"']);
    assert.equal(strange.stdout, '--setenv\n\u0001"$(id)"');
  });
});
