/** Tokens for a program: client credentials (RFC 6749, section 4.4), kept until shortly before they end. */
import { perform } from './call';
import { issueToken } from './generated/operations';
import type { TokenAnswer } from './generated/types';
import type { ClientOptions, TokenProvider } from './options';
import { here } from './platform';
import { openSession } from './session';

export interface ClientCredentials
  extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers' | 'timeoutMilliseconds'> {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; all that the credential has when left out. */
  readonly scope?: string;
  readonly audience?: string;
}

const earlyMilliseconds = 30_000;

interface Kept {
  readonly token: string;
  readonly until: number;
}

export const clientCredentials = ({
  clientId,
  clientSecret,
  scope,
  audience,
  ...options
}: ClientCredentials): TokenProvider => {
  const session = openSession(options);
  const { now } = here();
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope, audience };
  let kept: Kept | undefined;
  let asking: Promise<Kept> | undefined;
  const ask = async (): Promise<Kept> => {
    const began = now();
    // A token more than was needed does no harm, so it is asked for again like a query.
    const call = { row: issueToken.row, input: { body }, headers: {}, options: {}, repeatable: true };
    const { access_token: token, expires_in: seconds } = (await perform(session, call)).body as TokenAnswer;
    const life = seconds * 1000;
    return { token, until: began + Math.max(life - earlyMilliseconds, life / 2) };
  };
  return async ({ refresh }) => {
    if (!refresh && kept !== undefined && now() < kept.until) return kept.token;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    kept = await asking;
    return kept.token;
  };
};
