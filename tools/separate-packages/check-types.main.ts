/** Checks the types of what imports separate packages, where those are installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isInstalled, type SeparatePackage, separatePackages } from './install';

const root = join(__dirname, '..', '..');
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');

for (const [name, folder] of Object.entries(separatePackages) as [SeparatePackage, string][]) {
  if (!existsSync(join(folder, 'tsconfig.json'))) continue;
  if (!isInstalled(name)) {
    process.stdout.write(`${relative(root, folder)}: types not checked, npm run install:all installs its packages\n`);
    continue;
  }
  const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
