/** Statuses of files and stages in words. */
import type { FileItem, FileStage, FileVersion } from '../../../packages/client/src/schemas';
import { StatusBadge, type Tone } from '../components/status-badge';

export type FileErrorCode = NonNullable<FileItem['errorCode']>;

type Status = FileItem['status'] | FileVersion['status'];

const statuses: { readonly [status in Status]: { readonly label: string; readonly tone: Tone } } = {
  UPLOADING: { label: 'uploading', tone: 'plain' },
  UPLOADED: { label: 'uploaded', tone: 'plain' },
  PROCESSING: { label: 'processing', tone: 'plain' },
  PARTIALLY_READY: { label: 'found by its words only', tone: 'warn' },
  READY: { label: 'ready', tone: 'good' },
  FAILED: { label: 'failed', tone: 'bad' },
  EXPIRED: { label: 'not uploaded in time', tone: 'bad' },
  SUPERSEDED: { label: 'replaced', tone: 'plain' },
  DELETING: { label: 'being deleted', tone: 'warn' },
  DELETED: { label: 'deleted', tone: 'plain' },
};

/** What a list is filtered by: deleted files are in none. */
const listed = ['UPLOADING', 'UPLOADED', 'PROCESSING', 'PARTIALLY_READY', 'READY', 'FAILED'] as const;
export const statusOptions = listed.map((value) => ({ value, label: statuses[value].label }));

/** Nothing changes by itself any more. */
export const isSettled = (status: Status): boolean =>
  !['UPLOADING', 'UPLOADED', 'PROCESSING', 'PARTIALLY_READY', 'DELETING'].includes(status);

export const FileState = ({ status }: { readonly status: Status }) => (
  <StatusBadge tone={statuses[status].tone}>{statuses[status].label}</StatusBadge>
);

const stageNames: { readonly [name in FileStage['name']]: string } = {
  validation: 'Check of the upload',
  type_detection: 'Type of the content',
  text_extraction: 'Text',
  ocr: 'Text in pictures',
  chunking: 'Passages',
  embedding: 'Meaning',
  transcription: 'Speech',
  indexing: 'Search index',
};

export const stageName = (name: FileStage['name']): string => stageNames[name];

const stageStates: { readonly [status in FileStage['status']]: { readonly label: string; readonly tone: Tone } } = {
  READY: { label: 'done', tone: 'good' },
  PROCESSING: { label: 'running', tone: 'plain' },
  PENDING: { label: 'not yet', tone: 'plain' },
};

export const StageState = ({ stage: { status, errorCode, reason, skipped } }: { readonly stage: FileStage }) => {
  if (skipped !== undefined) return <StatusBadge>{skipped === 'not_needed' ? 'not needed' : 'left out'}</StatusBadge>;
  if (errorCode !== null) return <StatusBadge tone="bad">failed</StatusBadge>;
  if (status === 'PENDING' && reason !== null) return <StatusBadge tone="warn">waiting</StatusBadge>;
  return <StatusBadge tone={stageStates[status].tone}>{stageStates[status].label}</StatusBadge>;
};

/** Of a refusal: whether the same bytes may pass when they are tried again, and else what helps. */
const retriable: readonly FileErrorCode[] = ['TYPE_MISMATCH', 'EXTRACT_TIMEOUT', 'EXTRACT_CRASH', 'INTERNAL'];

export const isRetriable = (code: FileErrorCode): boolean => retriable.includes(code);

const remedies: { readonly [code in FileErrorCode]: string } = {
  UNSUPPORTED_TYPE: 'Upload it in another format: PDF, Word, PowerPoint, Excel, CSV, Markdown, HTML or text.',
  TYPE_MISMATCH: 'Rename it so that its name ends as its content is; it is then tried again by itself.',
  ENCRYPTED: 'Save it without a password, and upload that as a new version.',
  CORRUPT: 'Open it in the program that it is from, save it again, and upload that as a new version.',
  CHECKSUM_MISMATCH: 'Its bytes changed on the way. Upload it again.',
  TOO_LARGE: 'Split it, and upload the parts.',
  TOO_MANY_PAGES: 'Split it, and upload the parts.',
  ARCHIVE_BOMB: 'It unpacks to far more than it is. Upload what is in it, file by file.',
  MALWARE: 'It is infected, and nobody can open it. Clean the machine that it is from; then upload a clean copy.',
  EXTRACT_TIMEOUT: 'Try it again; if it fails again, split it.',
  EXTRACT_CRASH: 'Try it again; if it fails again, save it in another format.',
  INTERNAL: 'Try it again.',
};

export const remedyFor = (code: FileErrorCode): string => remedies[code];

/** What a name is replaced by while it is not there yet, or because its key is gone. */
export const nameOf = (name: string | null): string => name ?? 'Without a name';
