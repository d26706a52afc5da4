/**
 * `actions/checkout`: Git fetches on the machine, because jobs have no network, into a repository that no program of the job has touched;
 * files are written inside the sandbox. The job's token goes by the environment, never by arguments or into the configuration.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Assignment } from '../../../../domain/workflow/protocol/runner';
import type { ExecRequest, ProgramEnd } from '../../../sandbox/src/ports';

export interface CheckoutOptions {
  readonly repository: Assignment['repository'];
  readonly repositoryName: string | undefined;
  readonly jobToken: string;
  readonly inputs: { readonly [name: string]: string };
  /** Inside. */
  readonly workspace: string;
  /** On the machine, for this runner alone. */
  readonly directory: string;
  readonly run: (request: ExecRequest) => Promise<Either<string, ProgramEnd>>;
  readonly print: (line: string) => Promise<void>;
  readonly signal: AbortSignal;
}

const unsupported = ['submodules', 'lfs', 'ssh-key', 'sparse-checkout', 'filter'];

const isSet = (value: string | undefined): boolean => value !== undefined && !['', 'false'].includes(value.trim());

const gitEnvironment = (home: string, { jobToken }: CheckoutOptions): NodeJS.ProcessEnv => {
  const password = Buffer.from(`x-access-token:${jobToken}`).toString('base64');
  const settings = [
    ['http.extraHeader', `Authorization: Basic ${password}`],
    // The token is for this address alone.
    ['http.followRedirects', 'false'],
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
  ];
  return {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
};

const longestTail = 16_384;

/** The end of what Git printed: a repository may make it print anything. */
const tailOf = async (stream: Readable): Promise<string> => {
  let tail = '';
  for await (const chunk of stream.setEncoding('utf8')) tail = `${tail}${String(chunk)}`.slice(-longestTail);
  return tail;
};

/** Left: Git's error output. */
const git = async (
  args: readonly string[],
  { cwd, env, signal }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Either<string, string>> => {
  const child = spawn('git', args, { cwd, env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'close').catch((error: Error) => [error.message] as const);
  const [output, errors] = await Promise.all([tailOf(child.stdout), tailOf(child.stderr)]);
  const [code] = (await exited) as readonly [number | string | null];
  if (code === 0) return right(output);
  return left(`git ${args[0] ?? ''} failed: ${errors.trim().slice(-500) || String(code)}`);
};

interface Target {
  readonly commit: string;
  /** A local branch of that name is made. */
  readonly branch: string | undefined;
}

const fetchCommit = async (
  options: CheckoutOptions,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Either<string, Target>> => {
  const { repository, inputs, signal } = options;
  const context = { cwd, env, signal };
  const wanted = inputs.ref?.trim() || repository.commitSha;
  const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(wanted);
  const ref = isCommit ? repository.ref : wanted;
  const depth = Number(inputs['fetch-depth'] || '1');
  if (!Number.isSafeInteger(depth) || depth < 0) return left('fetch-depth is not a number.');
  if (ref.startsWith('-') || ref.includes(':')) return left('ref is not the name of a branch, tag or commit.');
  const local = 'refs/septet/checkout';
  const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  const fetch = (...rest: readonly string[]) => git(['fetch', '--no-tags', '--quiet', ...rest], context);
  const attempts: readonly (readonly string[])[] =
    depth === 0
      ? [
          [repository.url, ...all, `+${isCommit ? wanted : ref}:${local}`],
          [repository.url, ...all, `+${ref}:${local}`],
        ]
      : [
          [`--depth=${depth}`, repository.url, `+${isCommit ? wanted : ref}:${local}`],
          // Servers may have neither shallow fetches nor fetches of a commit.
          [repository.url, `+${ref}:${local}`],
        ];
  let failed = '';
  for (const attempt of attempts) {
    const fetched = await fetch(...attempt);
    if (isLeft(fetched)) {
      failed = fetched.left;
      if (signal.aborted) break;
      continue;
    }
    const commit = await git(['rev-parse', '--verify', `${isCommit ? wanted : local}^{commit}`], context);
    if (isLeft(commit)) failed = commit.left;
    else {
      const branch = /^(?:refs\/heads\/)(.+)$/.exec(ref)?.[1];
      return right({ commit: commit.right.trim(), branch: isCommit && inputs.ref?.trim() ? undefined : branch });
    }
  }
  return left(failed);
};

/** Starts when it is read: Node drops what a program has written if nothing reads it when the program ends. */
const archiveOf = async function* (cwd: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const tar = spawn('tar', ['-cf', '-', '.git'], { cwd, stdio: ['ignore', 'pipe', 'ignore'], signal });
  tar.on('error', () => undefined);
  for await (const chunk of tar.stdout) yield chunk as Uint8Array;
};

/** Replaces what is in the directory. Arguments: the directory, the commit, the branch or nothing, the address. */
const checkOutScript = `set -e
mkdir -p -- "$1"
cd -- "$1"
find . -mindepth 1 -maxdepth 1 -exec rm -rf -- {} +
tar -xf - --no-same-owner
git config --local remote.origin.url "$4"
git config --local remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config --local gc.auto 0
if [ -n "$3" ]; then git checkout --quiet --force -B "$3" "$2"; else git checkout --quiet --force --detach "$2"; fi
git log -1 --format='HEAD is now at %h %s'`;

/** Left: why there is no checkout. Right: outputs of the step. */
export const checkOut = async (
  options: CheckoutOptions,
): Promise<Either<string, { readonly [name: string]: string }>> => {
  const { inputs, repository, repositoryName, workspace, run, print, signal } = options;
  const refused = unsupported.find((name) => isSet(inputs[name]));
  if (refused !== undefined) return left(`${refused} is not supported by actions/checkout here.`);
  if (isSet(inputs.repository) && inputs.repository !== repositoryName)
    return left('A job checks out its own repository only.');
  const path = posix.resolve(workspace, inputs.path?.trim() || '.');
  if (path !== workspace && !path.startsWith(`${workspace}/`)) return left('path is outside of the workspace.');
  const home = await mkdtemp(join(options.directory, 'checkout-'));
  try {
    const env = gitEnvironment(home, options);
    const cwd = join(home, 'repository');
    const made = await git(['init', '--quiet', '--template=', cwd], { cwd: home, env, signal });
    if (isLeft(made)) return made;
    await print(`Fetching ${repository.url}`);
    const target = await fetchCommit(options, cwd, env);
    if (isLeft(target)) return target;
    const { commit, branch } = target.right;
    const end = await run({
      argv: ['sh', '-c', checkOutScript, 'checkout', path, commit, branch ?? '', repository.url],
      environment: { HOME: '/tmp', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      stdin: archiveOf(cwd, signal),
    });
    if (isLeft(end)) return end;
    if (end.right.kind !== 'exited' || end.right.code !== 0) return left('The files could not be written.');
    return right({ commit, ref: inputs.ref?.trim() || repository.ref });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
};
