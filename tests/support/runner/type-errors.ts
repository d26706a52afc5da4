/** The compiler's errors for files that use an installed package. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** For samples that use Node: its types, as the project itself has them. */
export const nodeTypesOptions = (): readonly string[] => [
  '--typeRoots',
  join(process.cwd(), 'node_modules', '@types'),
  '--types',
  'node',
];

export const typeErrors = (
  directory: string,
  samples: readonly string[],
  options: readonly string[],
): readonly string[] => {
  const compiler = join(process.cwd(), 'node_modules', 'typescript-native', 'bin', 'tsc');
  const flags = ['--noEmit', '--strict', '--module', 'node20', ...options];
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...samples], { cwd: directory });
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes('error'));
};
