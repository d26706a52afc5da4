/** The service behind the upload of a video: initiated by a key of the file, so that a reload finds it again, then presigned and completed. */
import {
  completeVideoUpload,
  findVideoUploadStatus,
  initiateVideoUpload,
  presignVideoParts,
} from '../../../../packages/client/src/operations';
import { type Answer, read, send } from '../../kernel/api-client';
import { bytesOf } from '../../kernel/format';
import type { Problem } from '../../kernel/problem';
import { UploadError, type UploadPlan, type UploadService } from '../../kernel/upload';

class VideoRefused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

class AlreadyUploaded extends Error {}

const contentOf = <Content>(answer: Answer<Content>): Content => {
  if (!answer.ok) throw new VideoRefused(answer.problem);
  return answer.content;
};

const typesByEnding: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ts: 'video/mp2t',
  mxf: 'application/mxf',
};

/** Of files that the choice of files offers. */
export const videoEndings = Object.keys(typesByEnding).map((ending) => `.${ending}`);

/** By its name where the machine does not know it; the content decides later. */
const contentTypeOf = ({ name, type }: Pick<File, 'name' | 'type'>): string =>
  typesByEnding[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? (type === '' ? 'application/octet-stream' : type);

const maxTitle = 200;

/** The name without its ending. */
const titleOf = ({ name }: Pick<File, 'name'>): string =>
  (name.replace(/\.[^.]+$/, '').trim() || name).slice(0, maxTitle);

interface WholeSource {
  readonly size: number;
  readonly partSizeBytes: number;
}

/** Of parts that are one object already, which need no tags. */
const everyPart = ({ size, partSizeBytes }: WholeSource): UploadPlan['stored'] =>
  Array.from({ length: Math.ceil(size / partSizeBytes) }, (_, index) => ({
    part: index + 1,
    size: Math.min(partSizeBytes, size - index * partSizeBytes),
    etag: 'stored',
  }));

/** Answers the id of the video: of the one whose film is replaced, or else of a new one. */
export const videoUploadService = (replacedVideoId?: string): UploadService<string> => {
  let ids = { videoId: '', uploadId: '' };
  return {
    begin: async (file) => {
      const title = titleOf(file);
      const idempotencyKey = JSON.stringify([file.lastModified, file.size, title]);
      const source = { fileSize: file.size, contentType: contentTypeOf(file), idempotencyKey };
      const body = replacedVideoId === undefined ? { title, ...source } : { videoId: replacedVideoId, ...source };
      const { videoId, uploadId, status } = contentOf(await send(initiateVideoUpload({ body })));
      if (status !== 'uploading') throw new AlreadyUploaded();
      ids = { videoId, uploadId };
      const { partSizeBytes, uploaded, missing } = contentOf(await read(findVideoUploadStatus(ids)));
      const stored =
        missing.length === 0 && uploaded.length === 0
          ? everyPart({ size: file.size, partSizeBytes })
          : uploaded.map(({ partNumber, ETag, sizeBytes }) => ({ part: partNumber, etag: ETag, size: sizeBytes }));
      return { partSize: partSizeBytes, stored };
    },
    sign: async ({ part }) => {
      const { parts } = contentOf(await send(presignVideoParts({ body: { ...ids, partNumbers: [part] } })));
      const [signed] = parts;
      if (signed === undefined) throw new UploadError('refused', `Part ${part} was not signed.`);
      return { url: signed.url, headers: {} };
    },
    complete: async (tags) => {
      const parts = tags.map(({ part, etag }) => ({ partNumber: part, ETag: etag }));
      return contentOf(await send(completeVideoUpload({ body: { ...ids, parts } }))).videoId;
    },
  };
};

/** `10000000000 bytes` are for programs. */
const readable = (detail: string): string =>
  detail
    .replace(/^(?:fileSize|contentType): /, '')
    .replace(/(\d{4,}) bytes/g, (_all, bytes: string) => bytesOf(Number(bytes)));

/** The sentence for the person, by what an upload rejected with. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof AlreadyUploaded) return 'This file is uploaded already; it is in the list.';
  if (error instanceof VideoRefused) {
    const isEmpty = error.problem.errors.some(({ pointer }) => pointer === '/body/fileSize');
    return isEmpty ? 'The file is empty.' : readable(error.problem.detail);
  }
  if (error instanceof UploadError) return `${error.message} What has arrived is kept for a week.`;
  return 'The upload could not be completed.';
};
