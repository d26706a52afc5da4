/** `fetch` with the headers of a token source. It only reaches one origin, so that no other server gets a token. */
import type { Fetch } from '../platform';
import type { TokenSource } from './token-source';

export type AuthorizedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** One refresh for a refused token, and one for a new `DPoP-Nonce`. */
const maxTokenRefreshes = 2;

const isRepeatable = ({ body }: RequestInit): boolean => !(body instanceof ReadableStream);

export const createAuthorizedFetch =
  (tokens: TokenSource, { origin, send }: { readonly origin: string; readonly send: Fetch }): AuthorizedFetch =>
  async (url, init = {}) => {
    const { href, origin: reached } = new URL(url);
    if (reached !== origin) throw new TypeError(`The tokens are for ${origin}.`);
    const { method = 'GET' } = init;
    const signal = init.signal ?? new AbortController().signal;
    for (let refreshes = 0; ; refreshes += 1) {
      const authorization = await tokens.authorize({ method, url: href }, signal);
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(authorization.headers)) headers.set(name, value);
      const answer = await send(href, { ...init, method, headers, redirect: 'manual', signal });
      tokens.observe(answer.headers);
      if (answer.status !== 401 || refreshes === maxTokenRefreshes || !isRepeatable(init)) return answer;
      if (!(await tokens.refresh(authorization, signal))) return answer;
      await answer.body?.cancel();
    }
  };
