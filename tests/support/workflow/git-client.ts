/** The real `git` client, without the configuration of the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { requirePrerequisites } from '../runner/prerequisites';

export interface GitRun {
  readonly code: number | null;
  readonly output: string;
  /** Standard error. */
  readonly messages: string;
}

const env = (home: string) => ({
  PATH: process.env.PATH,
  HOME: home,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@septet.test',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@septet.test',
});

const startGitClient = (directory: string, args: readonly string[]): ChildProcess =>
  spawn('git', ['-C', directory, ...args], { env: env(directory), stdio: ['pipe', 'pipe', 'pipe'] });

export const git = async (directory: string, ...args: readonly string[]): Promise<GitRun> => {
  await requirePrerequisites('git');
  const child = startGitClient(directory, args);
  child.stdin?.end();
  let [output, messages] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    messages += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.trim(), messages };
};

/** Fails the test with the messages of git. */
export const gitWorks = async (directory: string, ...args: readonly string[]): Promise<string> => {
  const { code, output, messages } = await git(directory, ...args);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${messages}`);
  return output;
};

/** Writes the files and commits them; answers the commit. */
export const commitFiles = async (
  directory: string,
  files: { readonly [path: string]: string | Uint8Array },
): Promise<string> => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  await gitWorks(directory, 'add', '--all');
  await gitWorks(directory, 'commit', '--quiet', '-m', 'Change');
  return gitWorks(directory, 'rev-parse', 'HEAD');
};

const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

/** The body of a request that pushes HEAD to a new ref (gitprotocol-pack). */
export const pushOf = async (directory: string, ref: string): Promise<Buffer> => {
  const commit = await gitWorks(directory, 'rev-parse', 'HEAD');
  const packing = startGitClient(directory, ['pack-objects', '--revs', '--stdout', '--quiet']);
  packing.stdin?.end(`${commit}\n`);
  const pack: Buffer[] = [];
  for await (const chunk of packing.stdout as Readable) pack.push(chunk as Buffer);
  const command = packet(`${'0'.repeat(40)} ${commit} ${ref}\0 report-status\n`);
  return Buffer.concat([Buffer.from(`${command}0000`), ...pack]);
};
