/** Tokens for a program: client credentials (RFC 6749, section 4.4), cached until shortly before they expire. */

import { issueToken } from '../generated/operations';
import type { TokenAnswer } from '../generated/types';
import { performCall } from '../http/call';
import type { Row } from '../operation';
import type { ClientOptions, TokenProvider } from '../options';
import { defaultPlatform } from '../platform';
import { openSession, type Session } from '../session';
import type { Dpop } from './dpop';

export interface ClientCredentials
  extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers' | 'timeoutMilliseconds'> {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; by default all scopes of the credential. */
  readonly scope?: string;
  readonly audience?: string;
  /** Tool of the audience's API that the tokens are for. */
  readonly tool?: string;
  /** Binds the tokens to its key; requests need its `authorize` then. */
  readonly dpop?: Dpop;
  /** By which an agent acts for a person, in this task. */
  readonly delegation?: { readonly delegationId: string; readonly taskId: string };
}

const renewBeforeMilliseconds = 30_000;

interface CachedToken {
  readonly token: string;
  readonly until: number;
}

/** The endpoint is public, but each attempt needs a proof of its own, and the nonce of the last answer. */
const openProvingSession = (
  options: Pick<ClientCredentials, 'baseUrl' | 'fetch' | 'headers' | 'timeoutMilliseconds'>,
  { prove }: Dpop,
): Session =>
  openSession({
    ...options,
    token: 'none',
    authorize: async ({ method, url, nonce }) => ({ dpop: await prove({ method, url, nonce }) }),
  });

const provedRow = (): Row => {
  const { public: _anonymous, ...row } = issueToken.row;
  return row;
};

export const clientCredentials = ({
  clientId,
  clientSecret,
  scope,
  audience,
  tool,
  dpop,
  delegation,
  ...options
}: ClientCredentials): TokenProvider => {
  const session = dpop === undefined ? openSession(options) : openProvingSession(options, dpop);
  const row = dpop === undefined ? issueToken.row : provedRow();
  const { now } = defaultPlatform();
  const own = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope, audience };
  const body = { ...own, tool, delegation_id: delegation?.delegationId, task_id: delegation?.taskId };
  let cached: CachedToken | undefined;
  let pending: Promise<CachedToken> | undefined;
  const requestToken = async (): Promise<CachedToken> => {
    const began = now();
    // A superfluous token does no harm, so the request is retried like a query.
    const call = { row, input: { body }, headers: {}, options: {}, repeatable: true };
    const { access_token: token, expires_in: seconds } = (await performCall(session, call)).body as TokenAnswer;
    const life = seconds * 1000;
    return { token, until: began + Math.max(life - renewBeforeMilliseconds, life / 2) };
  };
  return async ({ refresh }) => {
    if (!refresh && cached !== undefined && now() < cached.until) return cached.token;
    pending ??= requestToken().finally(() => {
      pending = undefined;
    });
    cached = await pending;
    return cached.token;
  };
};
