/** A directory for the certificates of one test. */
import assert from 'node:assert/strict';
import { type Either, isLeft } from 'fp-ts/Either';
import type { CertificateFiles } from '../../../../packages/eventstore-node/src/certs/certificates';
import { temporaryDirectory } from '../../../support/event-store-node';

export const inDirectory = (use: (directory: string) => void): void => {
  const directory = temporaryDirectory('certificates');
  try {
    use(directory.path);
  } finally {
    directory.remove();
  }
};

export const made = (files: Either<string, CertificateFiles>): CertificateFiles => {
  if (isLeft(files)) assert.fail(files.left);
  return files.right;
};
