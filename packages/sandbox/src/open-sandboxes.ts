/** Sandboxes by bubblewrap: finds the programs that it needs, and makes and removes the directories. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { isRunning, markOf, send } from '../../data-directory/src/process-identity';
import type { SandboxFiles } from './bubblewrap';
import { checkRequest } from './check-request';
import { removeSandbox, removeTree } from './directory-tree';
import { onPath } from './on-path';
import type { PrepareSandbox, Sandbox, Sandboxes, SandboxFault, SandboxLimits } from './ports';
import { type ProgramInSandbox, type Programs, runProgram, type SandboxContext, type SandboxUser } from './run-program';
import { openSandboxUsers, type SandboxUsers } from './sandbox-users';

export interface SandboxOptions {
  /**
   * Where working directories are; on a disk that has room for them. If this process is root, programs run as other users,
   * who must be able to reach it.
   */
  readonly directory: string;
}

const run = promisify(execFile);

const packages = { bwrap: 'bubblewrap', prlimit: 'util-linux' } as const;

const unavailable = (detail: string, cause?: string): Either<SandboxFault, never> =>
  left(fault('sandbox-unavailable', detail, cause));

const closedOnExec = 0o2_000_000;

/** Standard streams, the arguments, information, the word to go and the filter. */
const descriptorsOfSandbox = 7;

/** Node marks what it opens as closed on exec. */
const inheritedDescriptors = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor >= descriptorsOfSandbox)
    .filter((descriptor) => {
      try {
        const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
        return (Number.parseInt(flags, 8) & closedOnExec) === 0;
      } catch {
        // The listing itself.
        return false;
      }
    });

const findPrograms = (): Either<SandboxFault, Programs> => {
  const [bwrap, prlimit] = [onPath('bwrap'), onPath('prlimit')];
  if (bwrap !== undefined && prlimit !== undefined) return right({ bwrap, prlimit, inherited: inheritedDescriptors() });
  const missing = bwrap === undefined ? 'bwrap' : 'prlimit';
  return unavailable(`${missing} is not installed (Debian: ${packages[missing]}).`);
};

interface AssignedUser extends SandboxUser {
  readonly release: () => Promise<void>;
}

/** Undefined: no user is free. */
const assignUser = async (users: SandboxUsers): Promise<AssignedUser | undefined> => {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) return { uid: own, isOwn: false, release: async () => undefined };
  const reserved = await users.assign();
  return reserved === undefined ? undefined : { ...reserved, isOwn: true };
};

const prefix = 'sandbox-';

const isOfKilledService = (name: string): boolean => {
  const [, pid = '', started = ''] = name.split('-');
  return !isRunning({ pid: Number(pid), started });
};

const nameOnCommandLine = /\0(sandbox-\d+-\d+-[0-9a-f]{12})\0/;

/**
 * A program ends with its service, by the kernel. Only a service that was killed while bubblewrap started leaves bubblewrap itself,
 * which waits for ever and runs nothing.
 */
const endOrphans = (): void => {
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, name] = nameOnCommandLine.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? [];
      if (name !== undefined && isOfKilledService(name)) send(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or is another user's.
    }
  }
};

/** Removes directories of processes that were killed. Their programs ended with them. What fails is left to the next start. */
const sweep = async (directory: string): Promise<void> => {
  for (const name of readdirSync(directory).filter((entry) => entry.startsWith(prefix)))
    if (isOfKilledService(name)) await removeTree(join(directory, name)).catch(() => undefined);
};

const makeFiles = (directory: string, { uid, isOwn }: SandboxUser): SandboxFiles => {
  const name = `${prefix}${process.pid}-${markOf(process.pid)?.started}-${randomBytes(6).toString('hex')}`;
  const home = join(directory, name);
  const files = {
    name,
    work: join(home, 'work'),
    temporary: join(home, 'tmp'),
    passwd: join(home, 'passwd'),
    group: join(home, 'group'),
  };
  mkdirSync(home, { mode: 0o711 });
  for (const path of [files.work, files.temporary]) {
    mkdirSync(path, { mode: 0o700 });
    if (isOwn) chownSync(path, uid, uid);
  }
  writeFileSync(files.passwd, 'sandbox:x:1000:1000::/work:/bin/sh\n', { mode: 0o644 });
  writeFileSync(files.group, 'sandbox:x:1000:\n', { mode: 0o644 });
  return files;
};

const openSandbox = (context: SandboxContext, removed: (sandbox: Sandbox) => Promise<void>): Sandbox => {
  const running = new Set<ProgramInSandbox>();
  let isDestroyed = false;
  const isOver = (): boolean => isDestroyed;
  const sandbox: Sandbox = {
    directory: context.files.work,
    exec: async (request) => {
      if (isOver()) return unavailable('This sandbox is destroyed.');
      const checked = checkRequest(request);
      if (isLeft(checked)) return checked;
      const started = await runProgram(context, request);
      if (isLeft(started)) return started;
      running.add(started.right);
      void started.right.ended.then(() => running.delete(started.right));
      // It was destroyed while the program started.
      if (isOver()) await started.right.destroy();
      return started;
    },
    destroy: async () => {
      isDestroyed = true;
      await Promise.all([...running].map((program) => program.destroy()));
      await removeSandbox(join(context.files.work, '..'));
      await removed(sandbox);
    },
  };
  return sandbox;
};

const trialLimits: SandboxLimits = {
  memoryBytes: 268_435_456,
  cpuSeconds: 5,
  wallSeconds: 10,
  processes: 16,
  openFiles: 64,
  diskBytes: 1_048_576,
  outputBytes: 65_536,
};

/** Runs a program that does nothing: user namespaces may be forbidden although bubblewrap is installed. */
const tryOut = async (sandboxes: Sandboxes): Promise<Either<SandboxFault, void>> => {
  const sandbox = await sandboxes.prepare({ limits: trialLimits });
  if (isLeft(sandbox)) return sandbox;
  const program = await sandbox.right.exec({ argv: ['true'] });
  if (isLeft(program)) {
    await sandbox.right.destroy();
    return unavailable(program.left.detail, program.left.kind === 'fault' ? program.left.cause : undefined);
  }
  program.right.stdout.resume();
  const reason = (await program.right.stderr.toArray()).join('').trim();
  const end = await program.right.ended;
  await sandbox.right.destroy();
  if (end.kind === 'exited' && end.code === 0) return right(undefined);
  return unavailable(
    'Programs cannot be isolated here: user namespaces may be forbidden.',
    reason === '' ? end.kind : reason,
  );
};

export interface OpenedSandboxes {
  readonly sandboxes: Sandboxes;
  /** `bubblewrap 0.8.0` */
  readonly version: string;
}

/** Left: why no program of others can be run here. */
export const openSandboxes = async ({ directory }: SandboxOptions): Promise<Either<SandboxFault, OpenedSandboxes>> => {
  const programs = findPrograms();
  if (isLeft(programs)) return programs;
  mkdirSync(directory, { recursive: true, mode: 0o711 });
  endOrphans();
  await sweep(directory);
  const open = new Set<Sandbox>();
  const users = openSandboxUsers();
  const sandboxes: Sandboxes = {
    prepare: async (request: PrepareSandbox) => {
      // NUL separates the options of bubblewrap.
      if (request.inputs?.some(({ source, target }) => `${source}${target}`.includes('\0')))
        return unavailable('The path of an input has a NUL.');
      const user = await assignUser(users);
      if (user === undefined) return unavailable('No user is free for another sandbox.');
      try {
        const context = { ...request, programs: programs.right, files: makeFiles(directory, user), user };
        const sandbox = openSandbox(context, async (removed) => {
          open.delete(removed);
          await user.release();
        });
        open.add(sandbox);
        return right(sandbox);
      } catch (error) {
        await user.release();
        return unavailable(
          `No working directory could be made (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
        );
      }
    },
    close: async () => {
      await Promise.all([...open].map((sandbox) => sandbox.destroy()));
      await users.close();
    },
  };
  const tried = await tryOut(sandboxes);
  if (isLeft(tried)) return tried;
  const { stdout } = await run(programs.right.bwrap, ['--version']);
  return right({ sandboxes, version: stdout.trim() });
};
