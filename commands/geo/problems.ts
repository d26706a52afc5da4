/** HTTP statuses and titles of the rejections of imports. */
import type { ProblemTable } from '../../infra/server/http/problem';
import { uploadProblems } from '../kernel/uploads/upload-answers';

export const importProblems = {
  'import-unknown': { status: 404, title: 'There is no such import' },
  'import-not-started': { status: 409, title: 'The import is not started' },
  'import-ended': { status: 409, title: 'The import has ended' },
} as const satisfies ProblemTable;

export const sourceProblems = {
  'source-reserved': { status: 403, title: 'The source is reserved for other principals' },
} as const satisfies ProblemTable;

export const fileProblems = {
  ...uploadProblems,
  'blob-key-refused': { status: 400, title: 'The id is not one of an import' },
} as const satisfies ProblemTable;
