/** Tokens for a program: client credentials (RFC 6749, section 4.4), cached until shortly before they expire. */

import { issueToken } from './generated/operations';
import type { TokenAnswer } from './generated/types';
import { performCall } from './http/call';
import type { ClientOptions, TokenProvider } from './options';
import { defaultPlatform } from './platform';
import { openSession } from './session';

export interface ClientCredentials
  extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers' | 'timeoutMilliseconds'> {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; by default all scopes of the credential. */
  readonly scope?: string;
  readonly audience?: string;
  /** Tool of the audience's API that the tokens are for. */
  readonly tool?: string;
  /** By which an agent acts for a person, in this task. */
  readonly delegation?: { readonly delegationId: string; readonly taskId: string };
}

const renewBeforeMilliseconds = 30_000;

interface CachedToken {
  readonly token: string;
  readonly until: number;
}

export const clientCredentials = ({
  clientId,
  clientSecret,
  scope,
  audience,
  tool,
  delegation,
  ...options
}: ClientCredentials): TokenProvider => {
  const session = openSession(options);
  const { now } = defaultPlatform();
  const own = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope, audience };
  const body = { ...own, tool, delegation_id: delegation?.delegationId, task_id: delegation?.taskId };
  let cached: CachedToken | undefined;
  let pending: Promise<CachedToken> | undefined;
  const requestToken = async (): Promise<CachedToken> => {
    const began = now();
    // A superfluous token does no harm, so the request is retried like a query.
    const call = { row: issueToken.row, input: { body }, headers: {}, options: {}, repeatable: true };
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
