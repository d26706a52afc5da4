/** What the routes of video uploads need, and uploads as they read them. */
import { videoUpload } from '../../domain/video/upload/decider';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { VideoUploadSource } from '../../infra/server/video/uploads';
import type { CommandDeps } from '../kernel/command-route';
import type { FileBlobs } from '../kernel/uploads/file-upload';

export interface VideoUploadDeps extends CommandDeps {
  readonly blobs: FileBlobs & Pick<BlobStore, 'head'>;
  /** How long a request waits for object storage to join parts; 20 seconds when left out. */
  readonly joinMilliseconds?: number;
}

/** Folded by the decider, so that checks and commands share one cached state of a stream. */
export const uploadSourceOf = ({ store, warm }: CommandDeps): VideoUploadSource => ({
  store,
  cache: warm,
  rules: videoUpload,
});

export const scopes = ['videos:write'];
