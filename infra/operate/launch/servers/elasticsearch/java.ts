/** The JDK of this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { onPath } from '../../../../../packages/sandbox/src/on-path';
import { missing, type ServerFault } from '../local-server';
import { reasonIn, run } from '../run-program';

const oldest = 17;
const how = `install a JDK ${oldest} or later (Debian: apt-get install openjdk-17-jdk-headless), or set ELASTICSEARCH_URL.`;

export const majorVersion = (output: string): number | undefined => {
  const found = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** As Maven chooses: JAVA_HOME first. */
const find = (name: string): string | undefined => {
  const home = process.env.JAVA_HOME;
  return home === undefined || home === '' ? onPath(name) : join(home, 'bin', name);
};

/** Checks for `javac`: a runtime alone has no compiler, and Maven would report that in twenty lines. */
export const hasCompiler = (): Either<ServerFault, void> => {
  const program = find('javac');
  return program !== undefined && existsSync(program)
    ? right(undefined)
    : left(missing(`there is Java, but no javac: ${how}`));
};

export const findJava = async (): Promise<Either<ServerFault, string>> => {
  const program = find('java');
  if (program === undefined) return left(missing(`no java on the PATH: ${how}`));
  const result = await run({ program, arguments: ['-version'] });
  const version = majorVersion(result.output);
  if (!result.ok || version === undefined)
    return left(missing(`the machine's java does not run: ${how}`, reasonIn(result.output)));
  if (version < oldest) return left(missing(`the machine's java is Java ${version}: ${how}`));
  return right(program);
};
