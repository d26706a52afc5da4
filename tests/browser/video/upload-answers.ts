/** Answers of the API and of the object store to uploads of videos, which keep what arrives in memory. */
interface Upload {
  readonly videoId: string;
  readonly fileSize: number;
  readonly parts: Map<number, number>;
  isComplete: boolean;
}

const partSizeBytes = 1_000_000;
const expiresAt = '2026-12-07T08:00:00.000Z';

interface UploadAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const numberOfParts = ({ fileSize }: Upload): number => Math.ceil(fileSize / partSizeBytes);

export const createUploadAnswers = () => {
  const uploads = new Map<string, Upload>();
  const named = (uploadId: string): Upload => {
    const upload = uploads.get(uploadId);
    if (upload === undefined) throw new Error(`There is no upload ${uploadId}.`);
    return upload;
  };

  const init = ({ title, fileSize }: { readonly title: string; readonly fileSize: number }): UploadAnswer => {
    const uploadId = `upload-${title}`;
    const upload = uploads.get(uploadId) ?? {
      videoId: `video-${title}`,
      fileSize,
      parts: new Map(),
      isComplete: false,
    };
    uploads.set(uploadId, upload);
    const { videoId } = upload;
    const body = { videoId, uploadId, status: 'uploading', partSizeBytes, partCount: numberOfParts(upload), expiresAt };
    return { status: 201, body };
  };
  const status = (uploadId: string): UploadAnswer => {
    const upload = named(uploadId);
    const uploaded = [...upload.parts].map(([partNumber, sizeBytes]) => ({
      partNumber,
      ETag: `"${partNumber}"`,
      sizeBytes,
    }));
    const all = Array.from({ length: numberOfParts(upload) }, (_, index) => index + 1);
    const missing = all.filter((part) => !upload.parts.has(part));
    const ids = { videoId: upload.videoId, uploadId };
    return { status: 200, body: { ...ids, status: 'uploading', partSizeBytes, uploaded, missing, expiresAt } };
  };
  const presign = (body: { readonly uploadId: string; readonly partNumbers: readonly number[] }): UploadAnswer => ({
    status: 200,
    body: {
      parts: body.partNumbers.map((partNumber) => ({
        partNumber,
        url: `/store/${body.uploadId}/${partNumber}`,
        expiresAt,
      })),
      partSizeBytes,
    },
  });
  const complete = ({ uploadId }: { readonly uploadId: string }): UploadAnswer => {
    const upload = named(uploadId);
    upload.isComplete = true;
    return { status: 200, body: { videoId: upload.videoId, status: 'processing' } };
  };
  const put = (uploadId: string, part: number, sizeBytes: number): UploadAnswer => {
    named(uploadId).parts.set(part, sizeBytes);
    return { status: 200, body: {}, headers: { ETag: `"${part}"` } };
  };
  return { init, status, presign, complete, put, uploads };
};
