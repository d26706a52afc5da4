/** Builds the local Elasticsearch with Maven, once: what was built from these sources is not built again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { lockDirectory } from '../../../../../packages/data-directory/src/index';
import { onPath } from '../../../../../packages/sandbox/src/on-path';
import { cancelled, missing, type ServerFault, type StartOptions } from '../local-server';
import { type ProgramResult, reasonIn, run } from '../run-program';
import { hasCompiler } from './java';
import { archiveClasses } from './jvm-arguments';

type Watching = Pick<StartOptions, 'progress' | 'signal'>;

const how = 'install it (Debian: apt-get install maven), or set ELASTICSEARCH_URL.';
const unbuilt =
  'Maven could not fetch or compile it: start again with access to a Maven registry, or set ELASTICSEARCH_URL.';
const pauseMilliseconds = 100;

/** Beside the sources, also when this runs from a build of ours that holds JavaScript only. */
const projectDirectory = (from = __dirname): string | undefined => {
  const directory = join(from, 'infra', 'adapters', 'elastic', 'server');
  if (existsSync(join(directory, 'pom.xml'))) return directory;
  return from === dirname(from) ? undefined : projectDirectory(dirname(from));
};

const filesUnder = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Paths are not part of it: a moved checkout is not another program. */
const hashOf = (project: string): string => {
  const hash = createHash('sha256');
  for (const path of [join(project, 'pom.xml'), ...filesUnder(join(project, 'src'))])
    hash.update(path.slice(project.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
};

const isBuilt = (target: string, hash: string): boolean => {
  const stamp = join(target, 'stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
};

const maven = (program: string, project: string, signal: AbortSignal | undefined) => {
  const common = ['-q', '-B', '-Dstyle.color=never', 'process-classes'];
  return (more: readonly string[]): Promise<ProgramResult> =>
    run({ program, arguments: [...more, ...common], directory: project, signal });
};

/** Tries offline first: a second faster, and enough when the jars are in Maven's cache. */
const build = async (project: string, { progress, signal }: Watching): Promise<Either<ServerFault, void>> => {
  const compiler = hasCompiler();
  if (isLeft(compiler)) return compiler;
  const program = onPath('mvn');
  if (program === undefined) return left(missing(`no mvn (Maven) on the PATH: ${how}`));
  for (const name of ['classes', 'classes.jsa', 'classpath', 'home'])
    rmSync(join(project, 'target', name), { recursive: true, force: true });
  const mvn = maven(program, project, signal);
  progress('building');
  if ((await mvn(['--offline'])).ok) return right(undefined);
  progress('fetching', { package: 'elasticsearch' });
  const result = await mvn([]);
  if (result.ok) return right(undefined);
  if (signal?.aborted) return left(cancelled);
  return left(missing(unbuilt, reasonIn(result.output)));
};

/** The answer is the directory with what was built. Two launchers at once: one builds, the other waits. */
export const buildElasticsearch = async (java: string, watching: Watching): Promise<Either<ServerFault, string>> => {
  const project = projectDirectory();
  if (project === undefined)
    return left(missing('its sources (infra/adapters/elastic/server) are not here; set ELASTICSEARCH_URL.'));
  const target = join(project, 'target');
  const hash = hashOf(project);
  // Open, because the server reads it as another user.
  mkdirSync(target, { recursive: true, mode: 0o755 });
  while (!isBuilt(target, hash)) {
    const lock = lockDirectory(target, 'build');
    if (isLeft(lock)) {
      if (watching.signal?.aborted) return left(cancelled);
      await sleep(pauseMilliseconds);
      continue;
    }
    try {
      // The previous holder of the lock has built it and may run it already, so its archive must not change.
      if (isBuilt(target, hash)) return right(target);
      const built = await build(project, watching);
      if (isLeft(built)) return built;
      await archiveClasses(java, target, watching.signal);
      writeFileSync(join(target, 'stamp'), hash);
    } finally {
      lock.right.release();
    }
  }
  return right(target);
};
