/** HTTP statuses and titles of the rejections of imports. */
import type { ProblemTable } from '../../infra/server/http/problem';

export const importProblems = {
  'import-unknown': { status: 404, title: 'There is no such import' },
  'import-not-started': { status: 409, title: 'The import is not started' },
  'import-ended': { status: 409, title: 'The import has ended' },
} as const satisfies ProblemTable;

export const sourceProblems = {
  'source-reserved': { status: 403, title: 'The source is reserved for other principals' },
} as const satisfies ProblemTable;

export const fileProblems = {
  'file-incomplete': { status: 409, title: 'The file is not uploaded completely' },
  'upload-unknown': { status: 409, title: 'The upload no longer exists' },
  'upload-part-refused': { status: 409, title: 'A part of the file was replaced meanwhile' },
  'blob-too-large': { status: 413, title: 'The file is too large' },
  'blob-key-refused': { status: 400, title: 'The id is not one of an import' },
  'blob-store-unavailable': { status: 503, title: 'The object store is unavailable' },
  'blob-store-full': { status: 507, title: 'The object store is full' },
  'blob-call-aborted': { status: 503, title: 'The object store did not answer in time' },
  'blob-damaged': { status: 500, title: 'The file is damaged' },
} as const satisfies ProblemTable;
