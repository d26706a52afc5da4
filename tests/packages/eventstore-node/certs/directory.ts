/** A directory for the certificates of one test. */
import assert from 'node:assert/strict';
import { type Either, isLeft } from 'fp-ts/Either';
import type { CertificateFiles } from '../../../../packages/eventstore-node/src/certs/ensure-certificates';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

export const inDirectory = async (use: (directory: string) => Promise<void>): Promise<void> => {
  const directory = temporaryDirectory('certificates');
  try {
    await use(directory.path);
  } finally {
    directory.remove();
  }
};

export const made = async (making: Promise<Either<string, CertificateFiles>>): Promise<CertificateFiles> => {
  const files = await making;
  if (isLeft(files)) assert.fail(files.left);
  return files.right;
};
