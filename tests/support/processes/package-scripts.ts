/** Scripts of package.json as processes, with the environment of a test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { typescript } from '../runner/compiled';

const root = join(__dirname, '..', '..', '..');

export const packageScripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  }
).scripts;

/** The source of the last program that a script runs. Undefined: it is none of ours. */
export const entryOf = (name: string): string | undefined => {
  const words = (packageScripts[name] ?? '').split(' && ').at(-1)?.split(' ') ?? [];
  const bundled = words.indexOf('infra/server/bundle/run.cjs');
  return bundled === -1 ? words.find((word) => word.endsWith('.ts')) : `${words[bundled + 1]}.ts`;
};

/** Node's arguments. Bundled tools run from the bundle, as they do for a person. */
const argumentsOf = (name: string): readonly string[] => {
  const words = (packageScripts[name] ?? '').split(' && ').at(-1)?.split(' ') ?? [];
  const bundled = words.indexOf('infra/server/bundle/run.cjs');
  if (bundled !== -1) return [entryPath(words[bundled + 1] as string), ...words.slice(bundled + 2)];
  const source = words.findIndex((word) => word.endsWith('.ts'));
  assert.notEqual(source, -1, `${name} is no program of ours: ${words.join(' ')}`);
  return [...typescript(), words[source] as string, ...words.slice(source + 1)];
};

export interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const runScript = (
  name: string,
  args: readonly string[],
  { directory = root, env }: RunOptions = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: directory, env: { ...process.env, npm_lifecycle_event: name, ...env } };
    execFile(process.execPath, [...argumentsOf(name), ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr }),
    );
  });
