/**
 * Installs a folder's package, which has a lock of its own: what few need and `npm ci` of the root therefore leaves out. npm shows its progress
 * on the terminal.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');

/** Packages that are no workspaces, by what they are for. */
export const separatePackages = {
  checks: join(root, 'tools', 'checks'),
  places: join(root, 'tools', 'load-places'),
  benches: join(root, 'tests', 'bench'),
  thirdParty: join(root, 'tests', 'faults', 'third-party'),
} as const;

export type SeparatePackage = keyof typeof separatePackages;

const digestOfLock = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');

/** Names the lock that was installed. Written last, so an install that was interrupted is done again. */
const stampIn = (folder: string): string => join(folder, 'node_modules', '.installed-lock');

export const isInstalled = (name: SeparatePackage): boolean => {
  const folder = separatePackages[name];
  const stamp = stampIn(folder);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfLock(folder);
};

/** Does nothing when the lock is installed already. Processes that install at once each do, and one result stays. */
export const installSeparate = (name: SeparatePackage): void => {
  if (isInstalled(name)) return;
  const folder = separatePackages[name];
  const began = Date.now();
  process.stderr.write(`Installing the packages of ${relative(root, folder)}, once ...\n`);
  const unfinished = mkdtempSync(join(root, 'node_modules', '.separate-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(unfinished, file));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    // What npm prints stays out of the output of the program that installs.
    execFileSync('npm', ['ci', ...options], { cwd: unfinished, stdio: ['ignore', process.stderr, 'inherit'] });
    writeFileSync(stampIn(unfinished), digestOfLock(unfinished));
    if (!isInstalled(name)) {
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      renameSync(join(unfinished, 'node_modules'), join(folder, 'node_modules'));
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  process.stderr.write(`Installed in ${((Date.now() - began) / 1_000).toFixed(1)} s.\n`);
};
