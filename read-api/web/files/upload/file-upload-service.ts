/** One upload from session to completion: opened at the API, sent to the object store whole or in parts, then completed with its SHA-256. */
import {
  type CommandRequest,
  completeFileVersion,
  createFileUploadSession,
  createFileVersionSession,
  listFiles,
  nextPage,
  resumeFileUpload,
  signFilePart,
  signFileUpload,
} from '../../../../packages/client/src/operations';
import type { FileItem, UploadSession } from '../../../../packages/client/src/schemas';
import { type Answer, read, send } from '../../kernel/api-client';
import { bytesOf } from '../../kernel/format';
import { ownPrincipal } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { UploadError, type UploadProgress, uploadFile, uploadWhole, withRetries } from '../../kernel/upload';
import { FileUnreadable, fileHashOf } from './file-hash';
import { mediaTypeOf } from './media-types';
import { forgetSession, rememberedSession, rememberSession } from './remembered-sessions';

/** Where the bytes go: to a new file in a folder, or to a new version of a file. */
export type UploadTarget =
  | { readonly kind: 'file'; readonly folderId: string | null }
  | { readonly kind: 'version'; readonly fileId: string };

class UploadRefused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const contentOf = <Content>(answer: Answer<Content>): Content => {
  if (!answer.ok) throw new UploadRefused(answer.problem);
  return answer.content;
};

const isAway = (error: unknown): boolean =>
  error instanceof UploadRefused && (error.problem.status === 0 || [429, 502, 503, 504].includes(error.problem.status));

interface SessionIds {
  readonly fileId: string;
  readonly versionId: string;
}

interface UploadRequest {
  readonly file: File;
  /** The name that a new file is stored by. */
  readonly name: string;
  readonly target: UploadTarget;
  /** The same for every attempt, so that they open one session. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
  /** Once the server has it. */
  readonly onOpened: (ids: SessionIds) => void;
  /** All bytes are there. */
  readonly onSent: () => void;
}

const sessionKeyOf = (file: File, target: UploadTarget): string =>
  JSON.stringify([ownPrincipal(), file.name, file.size, file.lastModified, target]);

const openSession = ({ file, name, target }: UploadRequest): CommandRequest<UploadSession> => {
  const content = { mimeType: mediaTypeOf(file), sizeBytes: file.size };
  return target.kind === 'version'
    ? createFileVersionSession({ fileId: target.fileId, body: content })
    : createFileUploadSession({ body: { ...content, filename: name, parentFolderId: target.folderId } });
};

/** Undefined: it has ended, or the file is gone. */
const isAwaited = async (ids: SessionIds): Promise<boolean> => {
  const answer = await send(resumeFileUpload(ids));
  if (answer.ok) return true;
  if (isAway(new UploadRefused(answer.problem))) throw new UploadRefused(answer.problem);
  return false;
};

interface OpenedSession extends SessionIds {
  readonly isInParts: boolean;
  /** Of a session that was just opened. */
  readonly signed?: { readonly url: string; readonly headers: UploadSession['uploadHeaders'] };
}

/** A session that this browser left open for exactly this file goes on. */
const findSession = async (request: UploadRequest): Promise<OpenedSession> => {
  const key = sessionKeyOf(request.file, request.target);
  const before = rememberedSession(key);
  if (before !== undefined && (await isAwaited(before))) return before;
  const session = contentOf(await send(openSession(request), request.idempotencyKey));
  const { fileId, versionId, uploadUrl: url, uploadHeaders: headers } = session;
  const opened = { fileId, versionId, isInParts: url === null };
  rememberSession(key, opened);
  return url === null ? opened : { ...opened, signed: { url, headers } };
};

const sendBytes = async (
  { file, signal, onProgress }: UploadRequest,
  { fileId, versionId, isInParts, signed }: OpenedSession,
): Promise<void> => {
  const ids = { fileId, versionId };
  const again = { isAway, signal };
  if (!isInParts)
    return uploadWhole(
      file,
      async (attempt) => {
        if (attempt === 1 && signed !== undefined) return signed;
        const { url, headers } = contentOf(await send(signFileUpload(ids)));
        return { url, headers };
      },
      { signal, onProgress },
    );
  await uploadFile(
    file,
    {
      begin: async () => {
        const { partBytes, arrived } = await withRetries(
          async () => contentOf(await send(resumeFileUpload(ids))),
          again,
        );
        // The server knows the etags by itself.
        return { partSize: partBytes, stored: arrived.map((part) => ({ ...part, etag: '' })) };
      },
      sign: async ({ part, sha256 }) => {
        const body = sha256 === undefined ? {} : { sha256 };
        const { url, headers } = await withRetries(
          async () => contentOf(await send(signFilePart({ ...ids, part, body }))),
          again,
        );
        return { url, headers };
      },
      complete: async () => undefined,
    },
    { signal, onProgress },
  );
};

/** Rejects with `UploadRefused`, `UploadError`, `FileUnreadable`, or the signal's reason. */
export const performUpload = async (request: UploadRequest): Promise<SessionIds> => {
  const { file, signal, target } = request;
  const again = { isAway, signal };
  const session = await withRetries(() => findSession(request), again);
  const ids = { fileId: session.fileId, versionId: session.versionId };
  request.onOpened(ids);
  signal.throwIfAborted();
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const hashing = fileHashOf(file, both);
  // It is awaited after the bytes; until then its refusal is no unhandled one.
  hashing.catch(() => undefined);
  try {
    await sendBytes(request, session);
    request.onSent();
    const checksumSha256 = await hashing;
    await withRetries(
      async () => contentOf(await send(completeFileVersion({ ...ids, body: { checksumSha256 } }))),
      again,
    );
  } finally {
    ending.abort();
  }
  forgetSession(sessionKeyOf(file, target));
  return ids;
};

/** Of the query that finds names. */
const maxNamePart = 100;

/** Files of the folder, or of none, whose names have the text in them. */
export const filesNamed = async (
  text: string,
  folderId: string | null,
  signal: AbortSignal,
): Promise<readonly FileItem[]> => {
  const found: FileItem[] = [];
  const place = folderId === null ? { top: 'true' as const } : { folderId };
  const first = listFiles({ ...place, name: text.slice(0, maxNamePart), limit: 200 });
  for (let wanted: typeof first | undefined = first; wanted !== undefined; ) {
    const request: typeof first = wanted;
    const page = await withRetries(async () => contentOf(await read(request, signal)), { isAway, signal });
    found.push(...page.items);
    wanted = nextPage(request, page);
  }
  return found;
};

/** Whether this browser has begun to upload exactly this file there: it goes on. */
export const isBegun = (file: File, target: UploadTarget): boolean =>
  rememberedSession(sessionKeyOf(file, target)) !== undefined;

/** Whether the same file may be taken when it is sent again. */
export const mayHelpToRetry = (error: unknown): boolean => {
  if (error instanceof UploadRefused) return isAway(error) || [401, 500, 409].includes(error.problem.status);
  return !(error instanceof FileUnreadable);
};

/** `500000000 bytes` are for programs. */
const readable = (detail: string): string =>
  detail.replace(/(\d{4,}) bytes/g, (_all, bytes: string) => bytesOf(Number(bytes)));

const fieldSentences: Readonly<Record<string, string>> = {
  '/body/sizeBytes': 'The file is empty.',
  '/body/filename': 'Its name cannot be stored: it is too long, or has characters that names may not have. Rename it.',
  '/body/mimeType': 'Its type is not known here.',
};

/** The sentence for the person, by what an upload rejected with. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof UploadRefused) {
    const { errors, detail } = error.problem;
    const ofField = errors.map(({ pointer }) => fieldSentences[pointer]).find((one) => one !== undefined);
    return ofField ?? readable(detail);
  }
  if (error instanceof FileUnreadable)
    return 'The browser cannot read the file: it was moved or changed, or is a folder.';
  if (error instanceof UploadError) return `${error.message} What has arrived is kept for a day.`;
  return 'The upload could not be completed.';
};
