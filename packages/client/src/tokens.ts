/** Who calls: the token is asked for before every request, and once more, by one for all, when it is refused. */
import type { AuthorizeAsk, ClientOptions, TokenProvider } from './options';

export interface Shown {
  readonly token: string | undefined;
  readonly nonce: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Tokens {
  readonly show: (ask: Pick<AuthorizeAsk, 'method' | 'url'>, signal: AbortSignal) => Promise<Shown>;
  readonly heard: (headers: Headers) => void;
  /** What was shown was refused; answers whether something else can be shown now. */
  readonly mend: (shown: Shown, signal: AbortSignal) => Promise<boolean>;
}

const bearer = ({ token }: AuthorizeAsk): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

const providerOf = (token: string | TokenProvider | undefined): TokenProvider =>
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
const openProvider = (given: string | TokenProvider | undefined) => {
  const provide = providerOf(given);
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

export const openTokens = ({ token: given, authorize = bearer }: ClientOptions): Tokens => {
  const { current, another } = openProvider(given);
  let nonce: string | undefined;
  return {
    show: async ({ method, url }, signal) => {
      const token = await current(signal);
      const shown = { token, nonce };
      return { ...shown, headers: token === undefined ? {} : await authorize({ method, url, token, nonce }) };
    },
    heard: (headers) => {
      nonce = headers.get('dpop-nonce') ?? nonce;
    },
    mend: async (shown, signal) => {
      if (shown.token === undefined) return false;
      if (nonce !== shown.nonce || (await current(signal)) !== shown.token) return true;
      if (typeof given !== 'function') return false;
      const fresh = await another(shown.token, signal);
      return fresh !== undefined && fresh !== shown.token;
    },
  };
};
