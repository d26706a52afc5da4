/** Answers to refusals of files. */
import { fileAccessProblems } from '../../infra/server/files/problems';
import type { ProblemTable } from '../../infra/server/http/problem';
import { uploadProblems as storeProblems } from '../kernel/uploads/upload-answers';

export const fileProblems = {
  ...fileAccessProblems,
  'version-expired': { status: 409, title: 'The upload session has expired' },
  'version-completed': { status: 409, title: 'The version was completed with another checksum' },
  'too-many-versions': { status: 409, title: 'The file has too many versions' },
} as const satisfies ProblemTable;

export const uploadProblems = {
  ...storeProblems,
  'file-size-differs': { status: 409, title: 'The stored file has another size' },
  'file-too-large': { status: 413, title: 'The file is too large' },
  'file-type-unsupported': { status: 415, title: 'Files of this type are not supported' },
  'storage-quota-exceeded': { status: 409, title: 'The storage of the tenant is used up' },
  'too-many-uploads': { status: 409, title: 'Too many uploads are open' },
  'blob-key-refused': { status: 400, title: 'The id is not one of a file' },
} as const satisfies ProblemTable;

export const retryProblems = {
  'ingestion-unknown': { status: 409, title: 'The version is not being processed' },
  'stage-not-retriable': { status: 409, title: 'No stage failed or waits' },
} as const satisfies ProblemTable;

/** Of routes that name a principal. */
export const principalProblems = {
  'principal-inactive': { status: 409, title: 'The principal is not active' },
  'principal-unknown': { status: 422, title: 'The tenant has no such principal' },
} as const satisfies ProblemTable;

export const accessProblems = {
  ...principalProblems,
  'file-unknown': fileProblems['file-unknown'],
  'folder-unknown': fileProblems['folder-unknown'],
  'role-too-low': fileProblems['role-too-low'],
  'file-held': { status: 409, title: 'The file is under a legal hold' },
  'file-deleting': { status: 409, title: 'The file is being deleted' },
  'folder-held': { status: 409, title: 'A file in the folder is under a legal hold' },
  'folder-cycle': { status: 409, title: 'The folder cannot be moved into itself' },
  'folder-too-deep': { status: 409, title: 'Folders lie too deep within each other' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
  'group-unknown': { status: 404, title: 'There is no such group' },
  'group-of-another': { status: 403, title: 'The group is managed by others' },
  'too-many-folders': { status: 409, title: 'There are too many folders' },
  'too-many-grants': { status: 409, title: 'There are too many grants' },
  'too-many-groups': { status: 409, title: 'There are too many groups' },
  'too-many-members': { status: 409, title: 'The group has too many members' },
} as const satisfies ProblemTable;
