/** Uploads of this document, a few at once. They go on while other pages of files are shown. */
import { signal } from '@preact/signals';
import { deleteFile } from '../../../../packages/client/src/operations';
import { send, septet } from '../../kernel/api-client';
import type { UploadProgress } from '../../kernel/upload';
import { mayChange } from '../roles';
import {
  filesNamed,
  isBegun,
  mayHelpToRetry,
  performUpload,
  sentenceOf,
  type UploadTarget,
} from './file-upload-service';
import { freeName, stemOf } from './free-name';

type UploadState =
  | { readonly kind: 'waiting' }
  /** A file of this name is in the folder already; null: one that is no version of the reader’s to add, or that is only being uploaded. */
  | { readonly kind: 'asking'; readonly existingId: string | null }
  | { readonly kind: 'sending'; readonly progress: UploadProgress }
  /** All bytes are sent; its checksum is computed, and the version completed. */
  | { readonly kind: 'completing' }
  | { readonly kind: 'done'; readonly fileId: string; readonly versionId: string }
  | { readonly kind: 'failed'; readonly message: string; readonly mayRetry: boolean };

export interface Upload {
  readonly id: string;
  readonly file: File;
  /** The name that a new file is stored by. */
  readonly name: string;
  readonly target: UploadTarget;
  readonly state: UploadState;
  /** The name was looked for in the folder, and the question answered. */
  readonly isPlaced: boolean;
  /** Once the server has its session. */
  readonly fileId?: string;
}

export const uploads = signal<readonly Upload[]>([]);

const uploadsAtOnce = 3;
const running = new Map<string, AbortController>();

export const isUnfinished = ({ state: { kind } }: Upload): boolean => kind !== 'done' && kind !== 'failed';

/** The browser shows a question before the document goes, and the uploads with it. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

const set = (all: readonly Upload[]): void => {
  uploads.value = all;
  if (all.some(isUnfinished)) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
};

const change = (id: string, fields: Partial<Upload>): void =>
  set(uploads.value.map((one) => (one.id === id ? { ...one, ...fields } : one)));

/** Names that other uploads of this document take there. */
const namesTaken = ({ id, target }: Upload): readonly string[] =>
  uploads.value
    .filter((one) => one.id !== id && one.isPlaced && one.state.kind !== 'failed')
    .filter((one) => JSON.stringify(one.target) === JSON.stringify(target))
    .map(({ name }) => name);

/** Undefined: nothing of its name is there. */
const namesakeOf = async (
  upload: Upload,
  control: AbortSignal,
): Promise<{ readonly fileId: string | null } | undefined> => {
  const { file, name, target, isPlaced } = upload;
  if (isPlaced || target.kind !== 'file' || isBegun(file, target)) return undefined;
  const same = (await filesNamed(name, target.folderId, control)).filter(({ filename }) => filename === name);
  const changeable = same.find(({ role }) => mayChange(role));
  if (changeable !== undefined) return { fileId: changeable.fileId };
  return same.length > 0 || namesTaken(upload).includes(name) ? { fileId: null } : undefined;
};

const placeAndSend = async (upload: Upload, control: AbortController): Promise<void> => {
  const { id, file, name, target } = upload;
  const namesake = await namesakeOf(upload, control.signal);
  if (namesake !== undefined) return change(id, { state: { kind: 'asking', existingId: namesake.fileId } });
  change(id, { isPlaced: true });
  const ids = await performUpload({
    ...{ file, name, target, idempotencyKey: id, signal: control.signal },
    onProgress: (progress) => change(id, { state: { kind: 'sending', progress } }),
    onOpened: ({ fileId }) => {
      if (control.signal.aborted) discard(target, fileId);
      else change(id, { fileId });
    },
    onSent: () => change(id, { state: { kind: 'completing' } }),
  });
  change(id, { state: { kind: 'done', ...ids } });
};

const run = async (upload: Upload): Promise<void> => {
  const { id, file } = upload;
  const control = new AbortController();
  running.set(id, control);
  change(id, { state: { kind: 'sending', progress: { sentBytes: 0, totalBytes: file.size, resumedBytes: 0 } } });
  try {
    await placeAndSend(upload, control);
  } catch (error) {
    if (!control.signal.aborted)
      change(id, { state: { kind: 'failed', message: sentenceOf(error), mayRetry: mayHelpToRetry(error) } });
  } finally {
    running.delete(id);
    startWaiting();
  }
};

const startWaiting = (): void => {
  for (const one of uploads.value)
    if (running.size < uploadsAtOnce && one.state.kind === 'waiting' && !running.has(one.id)) void run(one);
};

export const addUploads = (files: readonly File[], target: UploadTarget): void => {
  const added = files.map((file): Upload => {
    const state: UploadState =
      file.size === 0 ? { kind: 'failed', message: 'The file is empty.', mayRetry: false } : { kind: 'waiting' };
    return { id: septet.platform.uuid(), file, name: file.name, target, state, isPlaced: false };
  });
  set([...uploads.value, ...added]);
  startWaiting();
};

/** What cannot be sent, with the reason. */
export const addRefusedUpload = (name: string, message: string): void =>
  set([
    ...uploads.value,
    {
      ...{ id: septet.platform.uuid(), file: new File([], name), name, target: { kind: 'file', folderId: null } },
      ...{ state: { kind: 'failed', message, mayRetry: false }, isPlaced: true },
    },
  ]);

export const retryUpload = (id: string): void => {
  change(id, { state: { kind: 'waiting' } });
  startWaiting();
};

/** The answer for a file whose name is there already. */
export const uploadAsVersion = (id: string, fileId: string): void => {
  change(id, { state: { kind: 'waiting' }, target: { kind: 'version', fileId }, isPlaced: true });
  startWaiting();
};

/** The other answer: it gets a name that is free. */
export const keepBoth = async (id: string): Promise<void> => {
  const upload = uploads.value.find((one) => one.id === id);
  if (upload === undefined || upload.target.kind !== 'file') return;
  const control = new AbortController();
  running.set(id, control);
  change(id, { state: { kind: 'waiting' } });
  try {
    const there = await filesNamed(stemOf(upload.name), upload.target.folderId, control.signal);
    const taken = [...there.map(({ filename }) => filename ?? ''), ...namesTaken(upload)];
    change(id, { name: freeName(upload.name, new Set(taken)), isPlaced: true });
  } catch (error) {
    if (!control.signal.aborted) change(id, { state: { kind: 'failed', message: sentenceOf(error), mayRetry: true } });
  } finally {
    running.delete(id);
    startWaiting();
  }
};

/** A file that was only begun is deleted with its upload; of a version, the session expires. */
const discard = (target: UploadTarget, fileId: string | undefined): void => {
  if (target.kind === 'file' && fileId !== undefined) void send(deleteFile({ fileId }));
};

export const cancelUpload = (id: string): void => {
  const upload = uploads.value.find((one) => one.id === id);
  if (upload === undefined) return;
  running.get(id)?.abort();
  dismissUploads([id]);
  discard(upload.target, upload.fileId);
};

export const dismissUploads = (ids: readonly string[]): void =>
  set(uploads.value.filter(({ id }) => !ids.includes(id)));
