/** Runs programs one behind the other, each reading what the one before writes, without files between them. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

export type PipelineEnd =
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'missing'; readonly program: string }
  /** A program failed, or wrote more than it may. */
  | { readonly kind: 'failed'; readonly program: string };

type Child = ChildProcessByStdio<Writable, Readable, null>;

const start = ({ program, args }: Command): Child =>
  spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      TESSDATA_PREFIX: process.env.TESSDATA_PREFIX,
      LC_ALL: 'C.UTF-8',
      HOME: '/nonexistent',
      // More threads cost more CPU time than they save: pages are what is done side by side.
      OMP_THREAD_LIMIT: '1',
    },
  });

/** A program may end before it has read all that it is given: its exit code decides whether that is a failure. */
const feed = (source: Readable, child: Child): Promise<void> => pipeline(source, child.stdin).catch(() => undefined);

const collect = async (source: Readable, maxBytes: number): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

type Exit = 'exited' | 'failed' | 'missing';

/** The first program reads `input`, where there is one; `maxBytes` bounds what the last writes. */
export const runPipeline = async (
  commands: readonly [Command, ...Command[]],
  { input, maxBytes }: { readonly input?: Readable; readonly maxBytes: number },
): Promise<PipelineEnd> => {
  const children = commands.map(start);
  const exits = children.map(async (child): Promise<Exit> => {
    try {
      await once(child, 'close');
      return child.exitCode === 0 ? 'exited' : 'failed';
    } catch {
      return child.pid === undefined ? 'missing' : 'failed';
    }
  });
  try {
    const feeds = children.map((child, index) => {
      const source = index === 0 ? input : children[index - 1]?.stdout;
      if (source !== undefined) return feed(source, child);
      child.stdin.on('error', () => undefined).end();
      return undefined;
    });
    const last = children.at(-1);
    const output = last === undefined ? undefined : await collect(last.stdout, maxBytes).catch(() => undefined);
    if (output === undefined) for (const child of children) child.kill('SIGKILL');
    const ends = await Promise.all(exits);
    await Promise.all(feeds);
    const failed = ends.findIndex((end) => end !== 'exited');
    const missing = ends.indexOf('missing');
    if (missing >= 0) return { kind: 'missing', program: commands[missing]?.program ?? '' };
    if (failed >= 0 || output === undefined)
      return { kind: 'failed', program: (commands[failed] ?? commands[0]).program };
    return { kind: 'done', output };
  } finally {
    input?.destroy();
    for (const child of children) if (child.pid !== undefined && child.exitCode === null) child.kill('SIGKILL');
  }
};
