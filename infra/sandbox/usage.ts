/** What the processes of a program use, read from `/proc`. */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';

export interface Usage {
  readonly pids: readonly number[];
  /** Resident memory that belongs to no file, and files in memory that are open. */
  readonly memoryBytes: number;
  /** Of the live processes and of those that they waited for. */
  readonly cpuSeconds: number;
  /** Files that were removed and are still open: no directory shows them. */
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

/** utime, stime, cutime and cstime of proc(5), which follow the name in brackets. */
const cpuSecondsOf = (line: string): number => {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

interface OpenFiles {
  readonly memory: number;
  readonly removed: number;
}

const openFilesOf = async (pid: number, seen: Set<string>): Promise<OpenFiles> => {
  let [memory, removed] = [0, 0];
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const path = `/proc/${pid}/fd/${fd}`;
    const target = await readlink(path).catch(() => '');
    if (!target.endsWith(' (deleted)')) continue;
    const file = await stat(path).catch(() => undefined);
    if (file === undefined || seen.has(`${file.dev} ${file.ino}`)) continue;
    seen.add(`${file.dev} ${file.ino}`);
    const isInMemory = target.startsWith('/memfd:') || target.startsWith('/dev/');
    if (isInMemory) memory += file.blocks * 512;
    else removed += file.blocks * 512;
  }
  return { memory, removed };
};

/** `init` is the first process of the program's namespace. */
export const usageOf = async (init: number): Promise<Usage> => {
  const pids = [init, ...(await descendantsOf(init))];
  const seen = new Set<string>();
  let [memoryBytes, cpuSeconds, removedBytes] = [0, 0, 0];
  for (const pid of pids) {
    const [status, line, files] = await Promise.all([
      textOf(`/proc/${pid}/status`),
      textOf(`/proc/${pid}/stat`),
      openFilesOf(pid, seen),
    ]);
    memoryBytes += kibibytes(status, 'RssAnon') + kibibytes(status, 'RssShmem') + files.memory;
    removedBytes += files.removed;
    if (line !== '') cpuSeconds += cpuSecondsOf(line);
  }
  return { pids, memoryBytes, cpuSeconds, removedBytes };
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
