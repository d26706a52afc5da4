/** Imports lines through the API as any source does: created, uploaded in parts by signed requests, started, followed to its end. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlaceLine } from './real-places';

/** Answers the number of lines. */
export const writeLines = async (path: string, lines: Iterable<PlaceLine>): Promise<number> => {
  const file = await open(path, 'w');
  let count = 0;
  let text = '';
  try {
    for (const line of lines) {
      text += `${JSON.stringify(line)}\n`;
      count += 1;
      if (text.length < 1_000_000) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
  } finally {
    await file.close();
  }
  return count;
};

export interface Api {
  readonly url: string;
  /** Called before each request: an import may outlive a token. */
  readonly token: () => Promise<string>;
}

export interface EndedImport {
  readonly importId: string;
  readonly status: string;
  readonly recorded: number;
  readonly unchanged: number;
  readonly outdated: number;
  readonly refused: number;
  readonly permille: number;
  readonly reason: string | null;
}

const call = async <Answer>({ url, token }: Api, method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Answer;
};

interface Signed {
  readonly url: string;
  readonly headers: Record<string, string>;
}

interface Plan {
  readonly partBytes: number;
  readonly arrived: readonly { readonly part: number }[];
}

const readPart = async (file: FileHandle, first: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, first);
  if (bytesRead < length) throw new Error('The file has become shorter.');
  return bytes;
};

const mostAttempts = 8;

/** The store may be away for a moment. */
const sendPart = async (api: Api, path: string, body: Buffer): Promise<void> => {
  const sha256 = createHash('sha256').update(body).digest('hex');
  for (let attempt = 1; ; attempt += 1) {
    const { url, headers } = await call<Signed>(api, 'POST', path, { sha256 });
    const answer = await fetch(url, { method: 'PUT', headers, body }).catch(() => undefined);
    if (answer?.ok === true) return;
    if (attempt === mostAttempts) throw new Error(`A part of the file was refused: ${answer?.status ?? 'no answer'}`);
    await sleep(100 * 2 ** attempt);
  }
};

const upload = async (api: Api, importPath: string, path: string, size: number): Promise<void> => {
  const { partBytes, arrived } = await call<Plan>(api, 'POST', `${importPath}/parts`, {});
  const stored = new Set(arrived.map(({ part }) => part));
  const file = await open(path);
  try {
    for (let first = 0; first < size; first += partBytes) {
      const part = first / partBytes + 1;
      if (stored.has(part)) continue;
      await sendPart(
        api,
        `${importPath}/parts/${part}`,
        await readPart(file, first, Math.min(partBytes, size - first)),
      );
    }
  } finally {
    await file.close();
  }
};

export interface ImportOptions {
  readonly source: string;
  readonly version?: number;
  readonly synthetic?: boolean;
  readonly onProgress?: (progress: EndedImport) => void;
}

const ended = new Set(['completed', 'failed', 'cancelled']);

const longestAwayMilliseconds = 60_000;

/** Undefined: the gateway or the view is away, or the view is behind. */
const progressOf = async (api: Api, importId: string): Promise<EndedImport | undefined> => {
  const headers = { authorization: `Bearer ${await api.token()}` };
  const answer = await fetch(`${api.url}/v1/places/imports/${importId}`, { headers }).catch(() => undefined);
  if (answer === undefined || answer.status === 404 || answer.status >= 500) return undefined;
  if (!answer.ok) throw new Error(`The import cannot be read: ${answer.status}`);
  return (await answer.json()) as EndedImport;
};

const follow = async (api: Api, importId: string, onProgress: ImportOptions['onProgress']): Promise<EndedImport> => {
  let seen = Date.now();
  for (;;) {
    await sleep(500);
    const progress = await progressOf(api, importId);
    if (progress === undefined) {
      if (Date.now() - seen > longestAwayMilliseconds) throw new Error('The import cannot be read any more.');
      continue;
    }
    seen = Date.now();
    onProgress?.(progress);
    if (ended.has(progress.status)) return progress;
  }
};

export const importFile = async (
  api: Api,
  path: string,
  { source, version, synthetic = false, onProgress }: ImportOptions,
): Promise<EndedImport> => {
  const { size } = await stat(path);
  const definition = { fileName: 'places.jsonl', format: 'jsonl', size, source, synthetic };
  const { importId } = await call<{ importId: string }>(api, 'POST', '/v1/places/imports', {
    ...definition,
    ...(version === undefined ? {} : { version }),
  });
  const importPath = `/v1/places/imports/${importId}`;
  await upload(api, importPath, path, size);
  await call(api, 'POST', `${importPath}/start`, {});
  return follow(api, importId, onProgress);
};
