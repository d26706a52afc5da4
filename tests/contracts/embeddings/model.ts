/** The real model, fetched once into the directory of programs that tests share. */
import { readdirSync, readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { type MiniLmLimits, openMiniLm } from '../../../infra/adapters/embeddings/minilm/minilm-embedder';
import { fetchModel, type ModelFiles } from '../../../infra/adapters/embeddings/minilm/model/fetch-model';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { isRunning } from '../../support/processes/launcher';
import { MissingPrerequisite } from '../../support/runner/missing-prerequisite';
import { toolsDirectory } from '../../support/servers/shared-servers';

const options = { tools: toolsDirectory, progress: () => undefined };

/** Skips where there is no network, or this machine has no runtime. */
export const modelFiles = async (): Promise<ModelFiles> => {
  const files = await fetchModel(options);
  if (isLeft(files)) throw new MissingPrerequisite(`embeddings: ${files.left.detail}`);
  return files.right;
};

export const openModel = async (limits: Partial<MiniLmLimits> = {}): Promise<Embedder> => {
  const opened = await openMiniLm(options, limits);
  if (isLeft(opened)) throw new Error(`${opened.left.detail} ${opened.left.cause}`);
  return opened.right;
};

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Ids of the running processes of the model that a process has started. */
export const inferenceProcesses = (parent: number): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isRunning(pid))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('inference.main'))
    .filter((pid) => new RegExp(`^PPid:\\s+${parent}$`, 'm').test(read(`/proc/${pid}/status`)));

/** Of its memory, in MiB. */
export const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1_024;
