/** Brings the pinned jars into a directory: from Maven's local repository, or from its registry over HTTPS. Each is checked against its digest. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { cancelled, missing } from '../../../../adapters/programs/program-fault';
import type { ServerFault, StartOptions } from '../local-server';
import type { MavenRegistry } from './maven-registry';

const Jar = t.strict({
  /** In a Maven repository. */
  path: t.string,
  sha256: t.string,
  /** `compiler`: only used to build. */
  in: t.keyof({ classpath: null, 'transport-netty4': null, compiler: null }),
});
export type Jar = t.TypeOf<typeof Jar>;

const JarList = t.strict({ elasticsearch: t.string, jars: t.readonlyArray(Jar) });
export type JarList = t.TypeOf<typeof JarList>;

/** `jars.json` of the project. */
export const readJarList = (project: string): JarList => {
  const decoded = JarList.decode(JSON.parse(readFileSync(join(project, 'jars.json'), 'utf8')));
  if (isLeft(decoded)) throw new Error('jars.json is damaged');
  return decoded.right;
};

export const jarName = ({ path }: Jar): string => basename(path);

const concurrency = 6;
const attempts = 3;
const requestMilliseconds = 120_000;
const maxBytes = 64 * 2 ** 20;
const reportMilliseconds = 2_000;

const isPinned = (bytes: Buffer, { sha256 }: Jar): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;

const existing = (path: string, jar: Jar): Buffer | undefined => {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  return isPinned(bytes, jar) ? bytes : undefined;
};

interface Source {
  readonly registry: MavenRegistry;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal | undefined;
}

/** Left: the error of the registry or the network, for the log. */
const download = async (jar: Jar, { registry, dispatcher, signal }: Source): Promise<Either<string, Buffer>> => {
  const timeout = AbortSignal.timeout(requestMilliseconds);
  const { authorization } = registry;
  try {
    const { statusCode, body } = await request(`${registry.url}/${jar.path}`, {
      dispatcher,
      headers: authorization === undefined ? {} : { authorization },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (statusCode !== 200) {
      await body.dump();
      return left(`${jar.path}: status ${statusCode}`);
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > maxBytes) return left(`${jar.path}: more than ${maxBytes} bytes`);
    }
    const bytes = Buffer.concat(chunks);
    return isPinned(bytes, jar) ? right(bytes) : left(`${jar.path}: not the file that is pinned`);
  } catch (error) {
    return left(`${jar.path}: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const obtain = async (jar: Jar, source: Source): Promise<Either<string, Buffer>> => {
  const local = existing(join(source.registry.localRepository, jar.path), jar);
  if (local !== undefined) return right(local);
  let found = await download(jar, source);
  for (let count = 1; isLeft(found) && count < attempts && source.signal?.aborted !== true; count += 1)
    found = await download(jar, source);
  return found;
};

export interface FetchJars extends Pick<StartOptions, 'progress' | 'signal'> {
  readonly jars: readonly Jar[];
  readonly directory: string;
  readonly registry: MavenRegistry;
  /** The sentence of the fault. */
  readonly notFetched: string;
}

/** What is there already is not fetched again, so an interrupted start goes on where it was. */
export const fetchJars = async ({
  jars,
  directory,
  registry,
  notFetched,
  progress,
  signal,
}: FetchJars): Promise<Either<ServerFault, void>> => {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const wanted = jars.filter((jar) => existing(join(directory, jarName(jar)), jar) === undefined);
  if (wanted.length === 0) return right(undefined);
  // Proxies as HTTPS_PROXY and NO_PROXY name them.
  const dispatcher = new EnvHttpProxyAgent();
  const source = { registry, dispatcher, signal };
  let reportedAt = performance.now();
  let count = 0;
  let failure: string | undefined;
  const report = (): void =>
    progress('fetching', { package: 'Elasticsearch', count: `${count} of ${wanted.length} files` });
  report();
  const waiting = [...wanted];
  const lane = async (): Promise<void> => {
    for (let jar = waiting.shift(); jar !== undefined && failure === undefined; jar = waiting.shift()) {
      const found = await obtain(jar, source);
      if (isLeft(found)) {
        failure ??= found.left;
        return;
      }
      const path = join(directory, jarName(jar));
      writeFileSync(`${path}.new`, found.right, { mode: 0o644 });
      renameSync(`${path}.new`, path);
      count += 1;
      if (performance.now() - reportedAt < reportMilliseconds) continue;
      reportedAt = performance.now();
      report();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await dispatcher.close();
  if (signal?.aborted) return left(cancelled);
  return failure === undefined ? right(undefined) : left(missing(notFetched, failure));
};
