/** The machine's `git`, as a person uses it: without the configuration of whoever runs the tests. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const environment = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

export interface Checkout {
  readonly git: (...words: readonly string[]) => Promise<string>;
  /** Writes the files, commits all changes, and answers the commit. */
  readonly commit: (message: string, files: { readonly [path: string]: string }) => Promise<string>;
}

/** A new repository in that directory, with its branch `main`. */
export const initCheckout = async (directory: string): Promise<Checkout> => {
  mkdirSync(directory, { recursive: true });
  const git: Checkout['git'] = async (...words) => {
    const { stdout } = await run('git', [...words], { cwd: directory, env: environment, timeout: 60_000 });
    return stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  const commit: Checkout['commit'] = async (message, files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  return { git, commit };
};

/** `http://user:token@host/git/tenant/name.git`. */
export const withPassword = (cloneUrl: string, token: string): string => {
  const url = new URL(cloneUrl);
  url.username = 'git';
  url.password = token;
  return url.href;
};
