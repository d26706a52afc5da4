/** What the compiler says of two files that use a package where it is installed: one rightly, one wrongly. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const typeErrors = (installed: string, target: 'es2022' | 'es2023'): readonly string[] => {
  const compiler = join(process.cwd(), 'node_modules', 'typescript-native', 'bin', 'tsc');
  const types = ['--typeRoots', join(process.cwd(), 'node_modules', '@types'), '--types', 'node'];
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'node20', '--target', target, ...types];
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, 'good.mts', 'bad.mts'], { cwd: installed });
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes('error'));
};
