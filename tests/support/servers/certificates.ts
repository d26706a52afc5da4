/** Certificates for the secure nodes of a test, for loopback. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { ensureCertificates } from '../../../packages/eventstore-node/src/certs/ensure-certificates';
import { loopbackNames } from '../../../packages/eventstore-node/src/certs/subject-names';

/** Answers the directory. */
export const certificatesIn = async (directory: string): Promise<string> => {
  const made = await ensureCertificates(directory, loopbackNames);
  if (isLeft(made)) assert.fail(made.left);
  return directory;
};
