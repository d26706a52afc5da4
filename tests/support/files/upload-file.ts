/** Uploads of files through the gateway, as clients make them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { contentOf, type Tenant } from '../identity/tenant';

export interface UploadedFile {
  readonly fileId: string;
  readonly versionId: string;
}

interface UploadSession extends UploadedFile {
  readonly uploadUrl: string;
  readonly uploadHeaders: Readonly<Record<string, string>>;
}

interface NewFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Buffer;
  readonly parentFolderId?: string;
}

/** Of a file that is there already. */
interface NewVersion extends Pick<NewFile, 'mimeType' | 'content'> {
  readonly fileId: string;
}

export const uploadFile = async (
  { send }: Pick<Tenant, 'send'>,
  { content, ...file }: NewFile | NewVersion,
): Promise<UploadedFile> => {
  const path = 'fileId' in file ? `/v1/files/${file.fileId}/versions` : '/v1/files/upload-sessions';
  const body = 'fileId' in file ? { mimeType: file.mimeType } : file;
  const { fileId, versionId, uploadUrl, uploadHeaders } = await contentOf<UploadSession>(
    send('POST', path, { ...body, sizeBytes: content.length }),
  );
  const stored = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: content });
  assert.equal(stored.status, 200);
  const checksumSha256 = createHash('sha256').update(content).digest('hex');
  await contentOf(send('POST', `/v1/files/${fileId}/versions/${versionId}/complete`, { checksumSha256 }));
  return { fileId, versionId };
};
