/** Builds the local Elasticsearch, once, from its published jars and our sources: what was built from these is not built again. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { lockDirectory } from '../../../../../packages/data-directory/src/index';
import { cancelled, missing } from '../../../../adapters/programs/program-fault';
import { reasonIn, run } from '../../../../adapters/programs/run-program';
import type { ServerFault, StartOptions } from '../local-server';
import { fetchJars, type JarList, jarName, readJarList } from './fetch-jars';
import { writeJar } from './jar-file';
import { archiveClasses } from './jvm-arguments';
import { mavenRegistry } from './maven-registry';

type Watching = Pick<StartOptions, 'progress' | 'signal'>;

const notFetched =
  'Its jars could not be fetched. Start again with access to a Maven registry (Maven Central, or what ~/.m2/settings.xml or MAVEN_REPOSITORY_URL names), or set ELASTICSEARCH_URL.';
const notCompiled = 'It could not be compiled. Set ELASTICSEARCH_URL to a server of yours.';
const pauseMilliseconds = 100;

/** Beside the sources, also when this runs from a build of ours that holds JavaScript only. */
const projectDirectory = (from = __dirname): string | undefined => {
  const directory = join(from, 'infra', 'adapters', 'elastic', 'server');
  if (existsSync(join(directory, 'jars.json'))) return directory;
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
  for (const path of [join(project, 'jars.json'), ...filesUnder(join(project, 'src'))])
    hash.update(path.slice(project.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
};

const isBuilt = (target: string, hash: string): boolean => {
  const stamp = join(target, 'stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
};

/** Of a project: its sources, and what is built. */
interface Place {
  readonly project: string;
  readonly target: string;
  readonly list: JarList;
}

const jarsIn = (target: string): string => join(target, 'jars');

const copyJars = ({ target, list }: Place): void => {
  const folders = {
    classpath: join(target, 'classpath'),
    'transport-netty4': join(target, 'home', 'modules', 'transport-netty4'),
  };
  for (const jar of list.jars)
    if (jar.in !== 'compiler') copyFileSync(join(jarsIn(target), jarName(jar)), join(folders[jar.in], jarName(jar)));
};

/** What the server reads at its start. */
const copyHome = ({ project, target, list }: Place): void => {
  const source = join(project, 'src', 'main', 'home');
  for (const path of filesUnder(source)) {
    const copy = join(target, 'home', relative(source, path));
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    const content = readFileSync(path, 'utf8').replaceAll('${elasticsearch.version}', list.elasticsearch);
    writeFileSync(copy, content, { mode: 0o644 });
  }
};

/** Eclipse's compiler: a program for any Java, where a runtime has no compiler of its own. */
const compile = async (
  java: string,
  { project, target, list }: Place,
  signal: AbortSignal | undefined,
): Promise<Either<ServerFault, void>> => {
  const jars = list.jars.map((jar) => ({
    path: join(jarsIn(target), jarName(jar)),
    isCompiler: jar.in === 'compiler',
  }));
  const compiler = jars.find(({ isCompiler }) => isCompiler)?.path ?? '';
  const classpath = jars.flatMap(({ path, isCompiler }) => (isCompiler ? [] : [path])).join(':');
  const level = ['-source', '17', '-target', '17', '-encoding', 'UTF-8', '-proc:none', '-nowarn'];
  const sources = filesUnder(join(project, 'src', 'main', 'java'));
  const output = join(target, 'classes');
  const result = await run({
    program: java,
    arguments: ['-jar', compiler, ...level, '-classpath', classpath, '-d', output, ...sources],
    signal,
  });
  if (result.ok) return right(undefined);
  return left(signal?.aborted ? cancelled : missing(notCompiled, reasonIn(result.output)));
};

const isOfAnalysis = (name: string): boolean => name.startsWith('septet/elastic/analysis/');

/** The server loads its plugins from jars, and an archive of classes needs them, too. */
const packClasses = ({ target }: Place): void => {
  const classes = join(target, 'classes');
  const entries = filesUnder(classes).map((path) => ({
    name: relative(classes, path).split(sep).join('/'),
    bytes: readFileSync(path),
  }));
  writeJar(
    join(target, 'classpath', 'local-elasticsearch.jar'),
    entries.filter(({ name }) => !isOfAnalysis(name)),
  );
  writeJar(
    join(target, 'home', 'modules', 'local-analysis', 'local-analysis.jar'),
    entries.filter(({ name }) => isOfAnalysis(name)),
  );
};

const build = async (
  java: string,
  { project, target }: Omit<Place, 'list'>,
  { progress, signal }: Watching,
): Promise<Either<ServerFault, void>> => {
  const list = readJarList(project);
  const place = { project, target, list };
  const fetched = await fetchJars({
    jars: list.jars,
    directory: jarsIn(target),
    registry: mavenRegistry(),
    notFetched,
    progress,
    signal,
  });
  if (isLeft(fetched)) return fetched;
  progress('building');
  for (const name of ['classes', 'classes.jsa', 'classpath', 'home'])
    rmSync(join(target, name), { recursive: true, force: true });
  mkdirSync(join(target, 'classpath'), { mode: 0o755 });
  copyHome(place);
  copyJars(place);
  const compiled = await compile(java, place, signal);
  if (isLeft(compiled)) return compiled;
  packClasses(place);
  return right(undefined);
};

/** The answer is the directory with what was built. Two launchers at once: one builds, the other waits. */
export const buildElasticsearch = async (java: string, watching: Watching): Promise<Either<ServerFault, string>> => {
  const project = projectDirectory();
  if (project === undefined)
    return left(missing('Its sources (infra/adapters/elastic/server) are not here: set ELASTICSEARCH_URL.'));
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
      const built = await build(java, { project, target }, watching);
      if (isLeft(built)) return built;
      await archiveClasses(java, target, watching.signal);
      writeFileSync(join(target, 'stamp'), hash);
    } finally {
      lock.right.release();
    }
  }
  return right(target);
};
