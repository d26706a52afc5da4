/**
 * ONNX Runtime's binding for Node, without the libraries of other platforms. It is no dependency of ours, because every installation would
 * carry 290 MB of it (decision 0088). MIT.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { installDirectory } from '../../../programs/install-directory';
import { fetchTarballs, type NpmTarball } from '../../../programs/npm-tarball';
import { type InstallOptions, missing, type ProgramFault } from '../../../programs/program-fault';

const version = '1.30.0';
const tarballs: readonly NpmTarball[] = [
  {
    name: 'onnxruntime-node',
    version,
    sha512:
      'b7086cd42d82fc1164cf5c9ce4e634288536194aba0d444eee10f86f1e50d90cb79c0309c115d6f31537355733136f5503d96894b3987a9a03f1f8d318e7c8ab',
  },
  {
    name: 'onnxruntime-common',
    version,
    sha512:
      'edf7555a30080f5755847fc6f2a2b700f011ba7578564045a024003fbaa9e1691a6f49aba2bbe673eb2a893fa62973b30ea7633798fefd9f676f883334f59cc8',
  },
];

const librariesIn = (directory: string): string =>
  join(directory, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6');
const bindingIn = (directory: string): string =>
  join(librariesIn(directory), process.platform, process.arch, 'onnxruntime_binding.node');

const removeOthers = (directory: string, name: string): void => {
  for (const other of existsSync(directory) ? readdirSync(directory) : [])
    if (other !== name) rmSync(join(directory, other), { recursive: true });
};

const faults = {
  noPrograms: 'There is no npm or no python3 on the PATH, which fetch and unpack ONNX Runtime.',
  notFetched: 'ONNX Runtime could not be fetched (the npm package onnxruntime-node).',
  notUnpacked: 'ONNX Runtime could not be unpacked (the npm package onnxruntime-node).',
};

/** The directory whose `node_modules` has it. */
export const fetchOnnxRuntime = async ({
  tools,
  progress,
  signal,
}: InstallOptions): Promise<Either<ProgramFault, string>> => {
  const directory = join(tools, `onnxruntime-node-${version}`);
  const installed = await installDirectory({
    directory,
    isComplete: (path) => existsSync(bindingIn(path)),
    install: async (unfinished) => {
      progress('fetching', { package: 'onnxruntime-node', version, megabytes: 114 });
      const fetched = await fetchTarballs({ tarballs, directory: unfinished, faults, signal });
      if (isLeft(fetched)) return fetched;
      removeOthers(librariesIn(unfinished), process.platform);
      removeOthers(join(librariesIn(unfinished), process.platform), process.arch);
      return right(undefined);
    },
    incomplete: missing('The npm package onnxruntime-node has no ONNX Runtime for this machine.'),
  });
  return isLeft(installed) ? installed : right(directory);
};
