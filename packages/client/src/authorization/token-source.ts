/** Authorizes requests. When the server refuses a token, concurrent calls share one refresh. */
import type { AuthorizationRequest, ClientOptions, TokenProvider } from '../options';

export interface RequestAuthorization {
  readonly token: string | undefined;
  readonly nonce: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TokenSource {
  readonly authorize: (
    request: Pick<AuthorizationRequest, 'method' | 'url'>,
    signal: AbortSignal,
  ) => Promise<RequestAuthorization>;
  readonly observe: (headers: Headers) => void;
  /** Call when the server refused the authorization. Returns whether a retry would send another token or nonce. */
  readonly refresh: (authorization: RequestAuthorization, signal: AbortSignal) => Promise<boolean>;
}

const bearer = ({ token }: AuthorizationRequest): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});

const toProvider = (token: string | TokenProvider | undefined): TokenProvider =>
  typeof token === 'function' ? token : () => token;

/** Stops waiting when the signal aborts; others that wait for the same promise go on. */
const unlessAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

/** A token provider whose concurrent refreshes are one call. */
const createRefreshingProvider = (tokenOrProvider: string | TokenProvider | undefined) => {
  const provide = toProvider(tokenOrProvider);
  let refreshing: Promise<string | undefined> | undefined;
  /** Replaces the refused token until the provider itself returns another one. */
  let replaced: { readonly stale: string | undefined; readonly fresh: string | undefined } | undefined;
  const refresh = async (stale: string | undefined): Promise<string | undefined> => {
    // No caller's signal: other callers wait for the same refresh.
    const fresh = await provide({ refresh: true, signal: new AbortController().signal });
    replaced = { stale, fresh };
    return fresh;
  };
  return {
    current: async (signal: AbortSignal): Promise<string | undefined> => {
      const token = await unlessAborted(Promise.resolve(provide({ refresh: false, signal })), signal);
      return replaced !== undefined && replaced.stale === token ? replaced.fresh : token;
    },
    another: (stale: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
      refreshing ??= refresh(stale).finally(() => {
        refreshing = undefined;
      });
      return unlessAborted(refreshing, signal);
    },
  };
};

export const createTokenSource = ({ token: tokenOrProvider, authorize = bearer }: ClientOptions): TokenSource => {
  const { current, another } = createRefreshingProvider(tokenOrProvider);
  let nonce: string | undefined;
  return {
    authorize: async ({ method, url }, signal) => {
      const token = await current(signal);
      const authorization = { token, nonce };
      return { ...authorization, headers: token === undefined ? {} : await authorize({ method, url, token, nonce }) };
    },
    observe: (headers) => {
      nonce = headers.get('dpop-nonce') ?? nonce;
    },
    refresh: async (authorization, signal) => {
      if (authorization.token === undefined) return false;
      if (nonce !== authorization.nonce || (await current(signal)) !== authorization.token) return true;
      if (typeof tokenOrProvider !== 'function') return false;
      const fresh = await another(authorization.token, signal);
      return fresh !== undefined && fresh !== authorization.token;
    },
  };
};
