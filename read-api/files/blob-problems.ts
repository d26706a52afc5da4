/** Answers where object storage does not have what the log names, or cannot be reached. */
import type { ProblemTable } from '../../infra/server/http/problem';

export const blobProblems = {
  'blob-unknown': { status: 404, title: 'The content was deleted' },
  'blob-differs': { status: 500, title: 'The content is not what was stored' },
  'blob-range-unsatisfiable': { status: 500, title: 'The content is not what was stored' },
  'blob-damaged': { status: 500, title: 'The content is not what was stored' },
  'blob-key-refused': { status: 400, title: 'The id is not one of a file' },
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
} as const satisfies ProblemTable;
