/** What tests need beyond the README's prerequisites. What can be built is built here, where no test's time limit runs. */
import { existsSync } from 'node:fs';
import { onPath } from '../../infra/runtime/on-path';
import { chromiumPath } from '../support/browser/chromium';
import { buildS3Server, s3ServerPath } from '../support/servers/s3-server';
import { hasPkcs11Module, softHsmModule } from '../support/servers/soft-hsm';

type Print = (line: string) => void;

interface Prerequisite {
  readonly name: string;
  readonly isMissing: () => boolean;
  /** How to get it, and which tests are skipped without it. */
  readonly missing: string;
}

const prerequisites: readonly Prerequisite[] = [
  {
    name: 'Chromium',
    isMissing: () => chromiumPath() === undefined,
    missing: 'apt-get install chromium-headless-shell, or set CHROMIUM; the tests of pages are skipped',
  },
  {
    name: 'SoftHSM',
    isMissing: () => softHsmModule() === undefined || onPath('softhsm2-util') === undefined,
    missing: 'apt-get install softhsm2; the tests of keys in a device are skipped',
  },
  {
    name: 'pkcs11js',
    isMissing: () => !hasPkcs11Module(),
    missing: 'apt-get install make g++ python3, then npm ci; the tests of keys in a device are skipped',
  },
  {
    name: 'openssl',
    isMissing: () => onPath('openssl') === undefined,
    missing: 'apt-get install openssl; the tests of client certificates are skipped',
  },
  {
    name: 'an S3 server',
    isMissing: () => process.env.S3_ENDPOINT === undefined && !existsSync(s3ServerPath),
    missing: 'install Go 1.24 or later, or set S3_ENDPOINT; the tests of blobs in a bucket are skipped',
  },
  {
    name: 'the right to mount a file system',
    isMissing: () => process.getuid?.() !== 0 || onPath('mount') === undefined,
    missing: 'run the tests as root in a container that may mount; the tests of full disks are skipped',
  },
];

const prepareS3Server = async (print: Print): Promise<void> => {
  if (process.env.S3_ENDPOINT !== undefined || existsSync(s3ServerPath) || onPath('go') === undefined) return;
  print('  S3 server: building versitygw with Go; this takes about two minutes, once');
  const began = Date.now();
  const failure = await buildS3Server();
  print(`  S3 server: ${failure ?? `ready after ${((Date.now() - began) / 1000).toFixed(1)} s`}`);
};

/** Prints a line for each that is missing. */
export const prepare = async (print: Print): Promise<void> => {
  await prepareS3Server(print);
  for (const { name, isMissing, missing } of prerequisites) if (isMissing()) print(`  no ${name}: ${missing}`);
};
