/** The first stage: the stored bytes are the ones that the uploader announced, and no known malware. */

import { createHash } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import { again } from '../../kernel/work-queue/job-handler';
import { bytesOf } from '../../kernel/work-queue/object-bytes';

import { plainResult, refuseFile, type StageEnd, type StageRun } from './stage-run';

/** The test file that every scanner recognises (eicar.org), in two parts so that no scanner takes this source for it. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('');

export const validate = async ({ deps: { blobs }, state: { source }, run }: StageRun): StageEnd => {
  const stored = await blobs.get({ key: source.key, etag: source.etag, signal: run.signal });
  if (isLeft(stored)) {
    const { code, detail } = stored.left;
    return code === 'blob-unknown' || code === 'blob-differs'
      ? refuseFile('CORRUPT', 'The uploaded bytes are gone or were changed; upload the file again.')
      : again(detail);
  }
  const hash = createHash('sha256');
  let size = 0;
  let tail = '';
  let isInfected = false;
  for await (const bytes of bytesOf(stored.right.body)) {
    hash.update(bytes);
    const text = tail + bytes.toString('latin1');
    isInfected ||= text.includes(eicar);
    tail = text.slice(-eicar.length);
    size += bytes.length;
    run.reportProgress({ fraction: size / source.sizeBytes, detail: 'The uploaded bytes are checked.' });
  }
  if (size !== source.sizeBytes)
    return refuseFile('CORRUPT', `The file should have ${source.sizeBytes} bytes and has ${size}; upload it again.`);
  if (hash.digest('hex') !== source.checksumSha256)
    return refuseFile(
      'CHECKSUM_MISMATCH',
      'The stored bytes do not have the SHA-256 that the upload was completed with; upload the file again.',
    );
  return isInfected
    ? refuseFile('MALWARE', 'The file contains malware, or a test file of virus scanners.')
    : right({ result: plainResult({ count: size }) });
};
