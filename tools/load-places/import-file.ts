/** Imports lines through the API as any source does: created, uploaded by the signed request, started, followed to its end. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
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
  /** Asked before each request: an import may outlive a token. */
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

const upload = async ({ url, headers }: Signed, path: string, size: number): Promise<void> => {
  const { statusCode, body } = await request(url, {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(size) },
    body: createReadStream(path),
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`The upload was refused: ${statusCode} ${text}`);
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
  await upload(await call<Signed>(api, 'POST', `/v1/places/imports/${importId}/upload`, {}), path, size);
  await call(api, 'POST', `/v1/places/imports/${importId}/start`, {});
  return follow(api, importId, onProgress);
};
