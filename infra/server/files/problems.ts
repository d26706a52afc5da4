/** Answers to refusals of files that both sides give. Of what is not shared with the caller, they are those of what never was. */
import type { ProblemTable } from '../http/problem';

export const fileAccessProblems = {
  'file-unknown': { status: 404, title: 'There is no such file' },
  'folder-unknown': { status: 404, title: 'There is no such folder' },
  'version-unknown': { status: 404, title: 'There is no such version' },
  'role-too-low': { status: 403, title: 'The role in the file or folder is too low' },
} as const satisfies ProblemTable;
