/** Uploads of this document, a few at once. They go on while other pages of videos are open. */
import { signal } from '@preact/signals';
import { septet } from '../../kernel/api-client';
import { type UploadProgress, uploadFile } from '../../kernel/upload';
import { sentenceOf, videoUploadService } from './video-upload-service';

type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly progress: UploadProgress }
  | { readonly kind: 'done'; readonly videoId: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface VideoUpload {
  readonly id: string;
  readonly file: File;
  /** The video whose film it replaces; undefined: it becomes a video of its own. */
  readonly replacedVideoId: string | undefined;
  readonly state: UploadState;
}

export const videoUploads = signal<readonly VideoUpload[]>([]);

const uploadsAtOnce = 2;
/** Of one file; the service allows 5 to 10. */
const partsAtOnce = 5;
const running = new Map<string, AbortController>();

export const isUnfinished = ({ state: { kind } }: VideoUpload): boolean => kind === 'waiting' || kind === 'sending';

/** The browser shows a question before the document goes, and the uploads with it. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

const set = (all: readonly VideoUpload[]): void => {
  videoUploads.value = all;
  if (all.some(isUnfinished)) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
};

const change = (id: string, state: UploadState): void =>
  set(videoUploads.value.map((one) => (one.id === id ? { ...one, state } : one)));

const run = async ({ id, file, replacedVideoId }: VideoUpload): Promise<void> => {
  const control = new AbortController();
  running.set(id, control);
  const onProgress = (progress: UploadProgress): void => change(id, { kind: 'sending', progress });
  onProgress({ sentBytes: 0, totalBytes: file.size, resumedBytes: 0 });
  try {
    const options = { signal: control.signal, onProgress, concurrency: partsAtOnce };
    change(id, { kind: 'done', videoId: await uploadFile(file, videoUploadService(replacedVideoId), options) });
  } catch (error) {
    if (!control.signal.aborted) change(id, { kind: 'failed', message: sentenceOf(error) });
  } finally {
    running.delete(id);
    startWaiting();
  }
};

const startWaiting = (): void => {
  for (const one of videoUploads.value)
    if (running.size < uploadsAtOnce && one.state.kind === 'waiting' && !running.has(one.id)) void run(one);
};

export const addVideoUploads = (files: readonly File[], replacedVideoId?: string): void => {
  const added = files.map((file) => ({
    ...{ id: septet.platform.uuid(), file, replacedVideoId },
    state: { kind: 'waiting' } as const,
  }));
  set([...videoUploads.value, ...added]);
  startWaiting();
};

export const retryVideoUpload = (id: string): void => {
  change(id, { kind: 'waiting' });
  startWaiting();
};

/** What has arrived is stored for a week: the same file continues it. */
export const stopVideoUpload = (id: string): void => {
  running.get(id)?.abort();
  dismissVideoUpload(id);
};

export const dismissVideoUpload = (id: string): void => set(videoUploads.value.filter((one) => one.id !== id));
