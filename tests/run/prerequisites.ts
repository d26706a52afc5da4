/** Looks for what tests need before the first of them, and builds what can be built where no test's time limit runs. */
import { existsSync } from 'node:fs';
import { onPath } from '../../packages/sandbox/src/on-path';
import { installSeparate, isInstalled, separatePackages } from '../../tools/separate-packages/install';
import { MissingPrerequisite } from '../support/runner/missing-prerequisite';
import { isMissing, type PrerequisiteName, prerequisites } from '../support/runner/prerequisites';
import { buildS3Server, s3ServerPath } from '../support/servers/s3-server';
import type { TestFile } from './files';
import type { StoreName } from './messages';
import type { SharedStores } from './stores';

type Print = (line: string) => void;

/** Installs what files among these import and the project does not. Without it, they cannot be loaded and are left out. */
export const prepareThirdParty = (files: readonly TestFile[], print: Print): readonly TestFile[] => {
  const imports = ({ path }: TestFile): boolean => path.startsWith(separatePackages.thirdParty);
  if (!files.some(imports)) return files;
  if (onPath('npm') !== undefined) installSeparate('thirdParty');
  if (isInstalled('thirdParty')) return files;
  print('  skipped: clients and servers of other people are not installed, and npm is not on the PATH');
  return files.filter((file) => !imports(file));
};

const storeNames = ['postgres', 'valkey', 'elasticsearch'] as const satisfies readonly StoreName[];
const ownNames = Object.keys(prerequisites) as readonly PrerequisiteName[];

/** What may be named as required. */
export const prerequisiteNames: readonly string[] = [...storeNames, ...ownNames];

const prepareS3Server = async (print: Print): Promise<void> => {
  if (process.env.S3_ENDPOINT !== undefined || existsSync(s3ServerPath) || onPath('go') === undefined) return;
  print('  S3 server: building versitygw with Go; this takes about two minutes, once');
  const began = Date.now();
  const failure = await buildS3Server();
  print(`  S3 server: ${failure ?? `ready after ${((Date.now() - began) / 1000).toFixed(1)} s`}`);
};

/** Prints a line for each that is missing, and answers their names. */
export const prepare = async (print: Print): Promise<readonly string[]> => {
  await prepareS3Server(print);
  const missing: PrerequisiteName[] = [];
  for (const name of ownNames) if (await isMissing(name)) missing.push(name);
  for (const name of missing) print(`  skipped: ${prerequisites[name].reason} (${prerequisites[name].install})`);
  return missing;
};

/** All at once. Answers the names of the stores that this machine cannot have; rejects where one is there and cannot be started. */
export const startStores = async (stores: SharedStores, print: Print): Promise<readonly string[]> => {
  const missing = await Promise.all(
    storeNames.map(async (name) => {
      try {
        await stores.urlOf(name);
        return undefined;
      } catch (error) {
        if (!(error instanceof MissingPrerequisite)) throw error;
        print(`  skipped: ${error.message}`);
        return name;
      }
    }),
  );
  return missing.filter((name) => name !== undefined);
};
