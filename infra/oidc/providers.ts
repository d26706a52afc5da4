/** Enterprise providers over openid-client: code, PKCE, nonce, state, `iss`, and a signature checked whoever delivered it. */
import { type Either, left, right } from 'fp-ts/Either';
import * as client from 'openid-client';
import type { Leaving, Provider, Providers, Vouched } from '../ports/providers';
import { defaultMilliseconds, type FetchLimits, guardedFetch } from '../remote/guarded-fetch';

const keptMilliseconds = 10 * 60_000;

const openConfigurations = (limits: FetchLimits) => {
  const fetch = guardedFetch(limits);
  const kept = new Map<string, { readonly until: number; readonly found: Promise<client.Configuration> }>();
  const customFetch: client.CustomFetch = (url, { method, headers, body }) =>
    fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : String(body),
    });
  const insecure = limits.allowPrivate ? [client.allowInsecureRequests] : [];
  const discover = ({ issuer, clientId, password }: Provider): Promise<client.Configuration> => {
    const known = password ?? undefined;
    return client.discovery(new URL(issuer), clientId, known, known === undefined ? client.None() : undefined, {
      execute: [...insecure, client.enableNonRepudiationChecks],
      timeout: Math.ceil((limits.milliseconds ?? defaultMilliseconds) / 1000),
      [client.customFetch]: customFetch,
    });
  };
  return (provider: Provider): Promise<client.Configuration> => {
    const name = JSON.stringify(provider);
    const known = kept.get(name);
    if (known !== undefined && known.until > Date.now()) return known.found;
    const found = discover(provider);
    kept.set(name, { until: Date.now() + keptMilliseconds, found });
    found.catch(() => kept.delete(name));
    return found;
  };
};

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 254) : null;

const vouchedBy = (claims: client.IDToken): Vouched => ({
  issuer: claims.iss,
  subject: claims.sub,
  // An address that nobody verified is a claim of whoever typed it.
  email: claims.email_verified === true ? text(claims.email) : null,
  name: text(claims.name),
  methods: Array.isArray(claims.amr) ? claims.amr.filter((one): one is string => typeof one === 'string') : [],
  context: text(claims.acr),
  authenticatedAt: typeof claims.auth_time === 'number' ? claims.auth_time : null,
});

const away = left({
  kind: 'away',
  detail: 'The provider cannot be reached right now, or is not set up as it says.',
} as const);
const refused = left({
  kind: 'refused',
  detail: 'The provider did not sign you in, or its answer was not meant for this.',
} as const);

/** A person who did not prove themselves anew is not who was asked for. */
const freshSeconds = 300;

type Asked = Pick<Leaving, 'callback' | 'fresh' | 'contexts'>;

const departure = async (config: client.Configuration, { callback, fresh, contexts }: Asked) => {
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
    ...(contexts.length === 0 ? {} : { acr_values: contexts.join(' ') }),
    ...{ state, nonce },
  });
  return { url: url.href, state, nonce, verifier };
};

export const openProviders = (limits: FetchLimits): Providers => {
  const configuration = openConfigurations(limits);
  const found = async (provider: Provider): Promise<Either<unknown, client.Configuration>> => {
    try {
      return right(await configuration(provider));
    } catch (error) {
      return left(error);
    }
  };
  return {
    leave: async ({ provider, ...asked }) => {
      const config = await found(provider);
      if (config._tag === 'Left') return away;
      try {
        return right(await departure(config.right, asked));
      } catch {
        // It has no address for people, for one.
        return away;
      }
    },
    back: async ({ provider, callback, state, nonce, verifier, fresh }) => {
      const config = await found(provider);
      if (config._tag === 'Left') return away;
      try {
        const tokens = await client.authorizationCodeGrant(config.right, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(fresh ? { maxAge: freshSeconds } : {}),
        });
        const claims = tokens.claims();
        return claims === undefined ? refused : right(vouchedBy(claims));
      } catch {
        // Why is for nobody to see: it could tell of our network, and repeats what a provider said.
        return refused;
      }
    },
  };
};
