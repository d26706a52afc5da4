/** The command line of bubblewrap: what a program sees of the machine. */
import { existsSync, readlinkSync } from 'node:fs';
import type { ExecRequest, PrepareSandbox } from './ports';

/** Directories at the root that distributions link into `/usr`. */
const systemDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Needed by programs of the system; nothing else of `/etc` is visible. */
const systemFiles = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ssl/certs',
  '/etc/ca-certificates',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/fonts',
];

const networkFiles = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/services', '/etc/gai.conf'];

const readable = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);

const systemArguments = (): readonly string[] => [
  '--ro-bind',
  '/usr',
  '/usr',
  ...systemDirectories
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const target = linkOf(path);
      return target === undefined ? ['--ro-bind', path, path] : ['--symlink', target, path];
    }),
  ...readable(systemFiles),
];

const linkOf = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

const sharedMemoryBytes = 67_108_864;

const defaultEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/work',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'sandbox',
};

export interface SandboxFiles {
  /** Of the sandbox; on the command lines of its processes, by which the next start finds those of a killed service. */
  readonly name: string;
  /** On the machine. */
  readonly work: string;
  readonly temporary: string;
  /** Of the one user inside. */
  readonly passwd: string;
  readonly group: string;
}

export interface Descriptors {
  readonly info: number;
  /** The program starts when the service writes `go` here, and never when the service is gone. */
  readonly go: number;
  /** Undefined: no filter for this processor. */
  readonly seccomp: number | undefined;
}

/**
 * The first process of the namespace. It waits for the service's word, so that nothing runs that no service watches, and reaps
 * orphans; the kernel ends all others with it. bubblewrap's own one would be left to the machine's first process, which in
 * containers often reaps nothing. Its messages are not the program's.
 */
const firstProcess = (go: number, name: string): readonly string[] => [
  '/bin/sh',
  '-c',
  `read -r word <&${go}; [ "$word" = go ] || exit 125; exec ${go}<&- 9>&2 2>/dev/null; ` +
    'command -v "$1" >/dev/null || { echo "$1: not found" >&9; exit 127; }; "$@" 2>&9 9>&-; exit $?',
  name,
];

/**
 * New namespaces of every kind, no capabilities, no further user namespaces, no controlling terminal. The root, `/dev` and all
 * of the system are read-only: programs write to `/work`, `/tmp` and `/dev/shm` only.
 */
export const bubblewrapArguments = (
  { files, descriptors }: { readonly files: SandboxFiles; readonly descriptors: Descriptors },
  { inputs = [], network = 'none' }: Pick<PrepareSandbox, 'inputs' | 'network'>,
  { argv, environment = {}, directory = '/work' }: ExecRequest,
): readonly string[] => [
  '--unshare-all',
  '--unshare-user',
  '--disable-userns',
  ...(network === 'host' ? ['--share-net'] : []),
  '--die-with-parent',
  '--as-pid-1',
  '--new-session',
  '--cap-drop',
  'ALL',
  ...['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
  ...['--info-fd', String(descriptors.info)],
  ...(descriptors.seccomp === undefined ? [] : ['--seccomp', String(descriptors.seccomp)]),
  '--clearenv',
  ...Object.entries({ ...defaultEnvironment, ...environment }).flatMap(([name, value]) => ['--setenv', name, value]),
  ...systemArguments(),
  ...(network === 'host' ? readable(networkFiles) : []),
  ...['--ro-bind', files.passwd, '/etc/passwd', '--ro-bind', files.group, '/etc/group'],
  ...['--proc', '/proc', '--dev', '/dev'],
  ...['--size', String(sharedMemoryBytes), '--tmpfs', '/dev/shm'],
  ...['--bind', files.temporary, '/tmp', '--bind', files.work, '/work'],
  ...inputs.flatMap(({ source, target }) => ['--ro-bind', source, target]),
  ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ...['--chdir', directory],
  '--',
  ...firstProcess(descriptors.go, files.name),
  ...argv,
];
