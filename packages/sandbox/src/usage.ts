/** What the processes of a program use, read from `/proc`. */
import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';

export interface ProcessorTime {
  /** Distinguishes a process from a later one with the same number. */
  readonly id: string;
  readonly ownSeconds: number;
  /** Of the children that it waited for. */
  readonly waitedSeconds: number;
}

export interface Usage {
  readonly pids: readonly number[];
  /** Resident memory that belongs to no file, shared memory, and files in memory. */
  readonly memoryBytes: number;
  /** Of the live processes. */
  readonly processorTimes: readonly ProcessorTime[];
  /** Files that were removed and are still open or mapped: no directory shows them. */
  readonly removedBytes: number;
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Orphans become children of the namespace's first process, so all processes are its descendants. */
const descendantsOf = async (pid: number): Promise<readonly number[]> => {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(tasks.map((task) => textOf(`/proc/${pid}/task/${task}/children`)));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  const deeper = await Promise.all(children.map(descendantsOf));
  return [...children, ...deeper.flat()];
};

/** A namespace's first process ends after all others of it. */
export const hasEnded = async (init: number): Promise<boolean> => {
  const line = await textOf(`/proc/${init}/stat`);
  return line === '' || line[line.lastIndexOf(')') + 2] === 'Z';
};

const kibibytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024;

const ticksPerSecond = 100;

/** utime, stime, cutime, cstime and starttime of proc(5), which follow the name in brackets. */
const processorTimeOf = (pid: number, line: string): ProcessorTime => {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const seconds = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond;
  return { id: `${pid} ${fields[19]}`, ownSeconds: seconds(11), waitedSeconds: seconds(13) };
};

interface HiddenFiles {
  readonly memory: number;
  readonly removed: number;
}

const blockBytes = 512;

const openFilesOf = async (pid: number, seen: Set<string>): Promise<HiddenFiles> => {
  let [memory, removed] = [0, 0];
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const path = `/proc/${pid}/fd/${fd}`;
    const target = await readlink(path).catch(() => '');
    // Files of `/dev/shm` count with its file system.
    if (!target.endsWith(' (deleted)') || target.startsWith('/dev/shm/')) continue;
    const file = await stat(path).catch(() => undefined);
    if (file === undefined || seen.has(`${file.dev} ${file.ino}`)) continue;
    seen.add(`${file.dev} ${file.ino}`);
    if (target.startsWith('/memfd:') || target.startsWith('/dev/')) memory += file.blocks * blockBytes;
    else removed += file.blocks * blockBytes;
  }
  return { memory, removed };
};

/** Shared memory without a file is `/dev/zero (deleted)`. Its pages stay when no process has them mapped in its page tables. */
const mappingOfRemoved =
  /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ (\S+ \d+) +(\/dev\/zero|\/work\/.*|\/tmp\/.*) \(deleted\)$/gm;

interface Mapping {
  readonly path: string;
  readonly range: string;
  readonly bytes: number;
}

const mappingsOf = async (pid: number): Promise<ReadonlyMap<string, Mapping>> => {
  const mappings = new Map<string, Mapping>();
  for (const [, from = '', to = '', inode = '', path = ''] of (await textOf(`/proc/${pid}/maps`)).matchAll(
    mappingOfRemoved,
  )) {
    const bytes = Number.parseInt(to, 16) - Number.parseInt(from, 16) + (mappings.get(inode)?.bytes ?? 0);
    // The names in `map_files` have no leading zeros.
    mappings.set(inode, { path, range: `${from.replace(/^0+/, '')}-${to.replace(/^0+/, '')}`, bytes });
  }
  return mappings;
};

/** What they hold is known to a service with CAP_CHECKPOINT_RESTORE, such as root; otherwise the mapped size counts. */
const mappedFilesOf = async (pid: number, seen: Set<string>): Promise<HiddenFiles> => {
  let [memory, removed] = [0, 0];
  for (const [inode, { path, range, bytes }] of await mappingsOf(pid)) {
    const file = await stat(`/proc/${pid}/map_files/${range}`).catch(() => undefined);
    const key = file === undefined ? inode : `${file.dev} ${file.ino}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const held = file === undefined ? bytes : file.blocks * blockBytes;
    if (path === '/dev/zero') memory += held;
    else removed += held;
  }
  return { memory, removed };
};

/** The kernel's memory for one file of a file system in memory. */
const inodeBytes = 1_024;

const sharedMemory = '/dev/shm';

/** Content and files of `/dev/shm` inside. The machine's own one is seen there until bubblewrap has set the root. */
const sharedMemoryOf = async (init: number): Promise<number> => {
  const path = `/proc/${init}/root${sharedMemory}`;
  try {
    const [own, inside, usage] = [
      await stat(sharedMemory).catch(() => undefined),
      await stat(path),
      await statfs(path),
    ];
    if (own?.dev === inside.dev) return 0;
    return (usage.blocks - usage.bfree) * usage.bsize + (usage.files - usage.ffree) * inodeBytes;
  } catch {
    return 0;
  }
};

/** `init` is the first process of the program's namespace. */
export const usageOf = async (init: number): Promise<Usage> => {
  const pids = [init, ...(await descendantsOf(init))];
  const seen = new Set<string>();
  const processorTimes: ProcessorTime[] = [];
  let [memoryBytes, removedBytes] = [await sharedMemoryOf(init), 0];
  for (const pid of pids) {
    const [status, line] = await Promise.all([textOf(`/proc/${pid}/status`), textOf(`/proc/${pid}/stat`)]);
    const files = [await openFilesOf(pid, seen), await mappedFilesOf(pid, seen)];
    memoryBytes += kibibytes(status, 'RssAnon') + files.reduce((sum, { memory }) => sum + memory, 0);
    removedBytes += files.reduce((sum, { removed }) => sum + removed, 0);
    if (line !== '') processorTimes.push(processorTimeOf(pid, line));
  }
  return { pids, memoryBytes, processorTimes, removedBytes };
};

/**
 * Adds processor time up from look to look. A parent that ignores SIGCHLD gets no time of its children, so the last time seen of
 * each ended process counts.
 */
export const openProcessorClock = (): ((times: readonly ProcessorTime[]) => number) => {
  let last = new Map<string, number>();
  let endedSeconds = 0;
  return (times) => {
    const current = new Map(times.map(({ id, ownSeconds }) => [id, ownSeconds]));
    for (const [id, seconds] of last) if (!current.has(id)) endedSeconds += seconds;
    last = current;
    const waited = times.reduce((sum, { ownSeconds, waitedSeconds }) => sum + ownSeconds + waitedSeconds, 0);
    const seen = times.reduce((sum, { ownSeconds }) => sum + ownSeconds, endedSeconds);
    return Math.max(waited, seen);
  };
};

/** Tasks of a user: RLIMIT_NPROC counts them. */
export const tasksOfUser = async (uid: number): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const counts = await Promise.all(
    pids.map(async (pid) => {
      const status = await textOf(`/proc/${pid}/status`);
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== uid) return 0;
      return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};
