import { type Problem, problemOf } from '../../../../server/http/problem';

/** The codes that only signed URLs of ours answer with. */
export const blobProblems = {
  'blob-unknown': { status: 404, title: 'There is no such blob' },
  'blob-differs': { status: 412, title: 'The blob is not the one expected' },
  'blob-range-unsatisfiable': { status: 416, title: 'The blob has no such bytes' },
  'blob-size-differs': { status: 400, title: 'The size of the body is not the announced one' },
  'blob-checksum-differs': { status: 400, title: 'The checksum of the body is not the announced one' },
  'blob-too-large': { status: 413, title: 'The body is too large' },
  'blob-key-refused': { status: 400, title: 'The key is not valid' },
  'upload-unknown': { status: 404, title: 'There is no such upload' },
  'upload-part-refused': { status: 400, title: 'The part was refused' },
  'blob-store-unavailable': { status: 503, title: 'The blob store is unavailable' },
  'blob-store-full': { status: 507, title: 'The blob store is full' },
  'blob-call-aborted': { status: 408, title: 'The client aborted the request' },
  'blob-damaged': { status: 500, title: 'The blob is damaged' },
} as const;

export const problemOfBlob = ({
  code,
  detail,
}: {
  readonly code: keyof typeof blobProblems;
  readonly detail: string;
}): Problem => problemOf({ kind: 'rejection', code, detail }, blobProblems);
