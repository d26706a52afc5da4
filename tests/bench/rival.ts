/**
 * What benches compare with: `*.rival.ts` import packages of this folder, which are installed at the first use, so that nothing else may import
 * them but by these functions.
 */
import { installSeparate } from '../../tools/separate-packages/install';

/** The path of a program to run as a process of its own. */
export const rivalProgram = (path: string): string => {
  installSeparate('benches');
  return `${path}.rival.ts`;
};

export const rivalModule = <Module>(path: string): Module => require(rivalProgram(path)) as Module;
