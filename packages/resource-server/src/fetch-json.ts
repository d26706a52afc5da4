/** Fetches small documents of the issuer over https, bounded in time and size. */
import { type Either, left, right } from './verification/either';

const maxFetchMilliseconds = 5_000;
const maxDocumentBytes = 262_144;

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

/** Plain http is for loopback only: keys must come over TLS. */
export const isSecureUrl = (url: string): boolean => url.startsWith('https://') || loopback.test(url);

const textOf = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxDocumentBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Left: the reason, for logs. Redirects are errors: they could lead to foreign keys. */
export const fetchJson = async (url: string, using: typeof fetch): Promise<Either<string, unknown>> => {
  try {
    const signal = AbortSignal.timeout(maxFetchMilliseconds);
    const headers = { accept: 'application/json' };
    const response = await using(url, { signal, redirect: 'error', headers });
    if (response.status !== 200) return left(`status ${response.status}`);
    const text = await textOf(response);
    return text === undefined ? left('too large') : right(JSON.parse(text) as unknown);
  } catch (error) {
    return left(error instanceof Error ? error.name : 'unknown');
  }
};
