/** Who calls: the token is asked for before every request, and once more, by one for all, when it is refused. */
import type { AuthorizeAsk, ClientOptions, TokenProvider } from './options';

export interface RequestAuthorization {
  readonly token: string | undefined;
  readonly nonce: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TokenSource {
  readonly authorize: (
    request: Pick<AuthorizeAsk, 'method' | 'url'>,
    signal: AbortSignal,
  ) => Promise<RequestAuthorization>;
  readonly observe: (headers: Headers) => void;
  /** What was shown was refused; answers whether something else can be shown now. */
  readonly refresh: (authorization: RequestAuthorization, signal: AbortSignal) => Promise<boolean>;
}

const bearer = ({ token }: AuthorizeAsk): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

const toProvider = (token: string | TokenProvider | undefined): TokenProvider =>
  typeof token === 'function' ? token : () => token;

/** One who waits may leave; the others go on waiting. */
const unlessAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

/** What gives tokens, asked for another by one for all. */
const createRefreshingProvider = (tokenOrProvider: string | TokenProvider | undefined) => {
  const provide = toProvider(tokenOrProvider);
  let refreshing: Promise<string | undefined> | undefined;
  /** Given in place of what was refused, until the provider itself gives another. */
  let replaced: { readonly stale: string | undefined; readonly fresh: string | undefined } | undefined;
  const refresh = async (stale: string | undefined): Promise<string | undefined> => {
    // Not the signal of the one who came first: others wait for the same.
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
