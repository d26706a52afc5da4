/** HTTP statuses and titles of what both sides refuse of artifacts and logs. */
import type { ProblemTable } from '../http/problem';

export const artifactProblems = {
  'artifact-unknown': { status: 404, title: 'There is no such artifact' },
  'artifact-uncommitted': { status: 409, title: 'The upload of the artifact is not complete' },
  'artifact-incomplete': { status: 409, title: 'Parts of the artifact are not uploaded' },
  'too-many-artifacts': { status: 409, title: 'The run has too many artifacts' },
  'artifact-quota-exceeded': { status: 409, title: 'The artifacts of the organization have too many bytes' },
  'artifact-exists': { status: 409, title: 'There is an artifact of this name' },
  'artifact-differs': { status: 409, title: 'The stored bytes are not those announced' },
  'artifact-deleted': { status: 410, title: 'The artifact was deleted' },
  'artifact-expired': { status: 410, title: 'The artifact has expired' },
  'artifact-index-unavailable': { status: 503, title: 'The index of artifacts is unavailable' },
  'stale-epoch': { status: 409, title: 'The job has a newer lease, or has ended' },
  'blob-unknown': { status: 409, title: 'The bytes are not uploaded' },
  'upload-unknown': { status: 409, title: 'The upload was abandoned' },
  'upload-part-refused': { status: 409, title: 'A part of the upload is refused' },
  'blob-size-differs': { status: 409, title: 'The stored bytes have another length' },
  'blob-too-large': { status: 413, title: 'The artifact is too large' },
  'blob-key-refused': { status: 400, title: 'The name cannot be stored' },
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
  'blob-damaged': { status: 500, title: 'The stored bytes are damaged' },
} as const satisfies ProblemTable;

export const logProblems = {
  'log-unknown': { status: 404, title: 'There is no such log' },
  'log-expired': { status: 410, title: 'The log is older than logs are retained' },
  'log-ended': { status: 409, title: 'The log takes no more chunks' },
  'chunk-differs': { status: 409, title: 'Another chunk is stored under the same number' },
  'log-store-unavailable': { status: 503, title: 'The store of logs is unavailable' },
} as const satisfies ProblemTable;
