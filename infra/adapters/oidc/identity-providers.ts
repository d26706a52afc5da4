/** Identity providers through openid-client: code flow with PKCE, nonce, state and `iss`; id_tokens are always verified. */
import { type Either, left, right } from 'fp-ts/Either';
import * as client from 'openid-client';
import type {
  IdentityProviders,
  Provider,
  ProviderIdentity,
  SignInRequest,
} from '../../ports/identity/identity-providers';
import { createGuardedFetch, defaultTimeoutMilliseconds, type FetchLimits } from '../remote/guarded-fetch';

const configurationCacheMilliseconds = 10 * 60_000;

const createConfigurationCache = (limits: FetchLimits) => {
  const fetch = createGuardedFetch(limits);
  const cache = new Map<string, { readonly until: number; readonly found: Promise<client.Configuration> }>();
  const customFetch: client.CustomFetch = (url, { method, headers, body }) =>
    fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : String(body),
    });
  const insecure = limits.allowPrivate ? [client.allowInsecureRequests] : [];
  const discover = ({ issuer, clientId, password }: Provider): Promise<client.Configuration> => {
    const secret = password ?? undefined;
    return client.discovery(new URL(issuer), clientId, secret, secret === undefined ? client.None() : undefined, {
      execute: [...insecure, client.enableNonRepudiationChecks],
      timeout: Math.ceil((limits.milliseconds ?? defaultTimeoutMilliseconds) / 1000),
      [client.customFetch]: customFetch,
    });
  };
  return (provider: Provider): Promise<client.Configuration> => {
    const name = JSON.stringify(provider);
    const secret = cache.get(name);
    if (secret !== undefined && secret.until > Date.now()) return secret.found;
    const found = discover(provider);
    cache.set(name, { until: Date.now() + configurationCacheMilliseconds, found });
    found.catch(() => cache.delete(name));
    return found;
  };
};

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 254) : null;

const identityFromClaims = (claims: client.IDToken): ProviderIdentity => ({
  issuer: claims.iss,
  subject: claims.sub,
  // Ignores unverified addresses.
  email: claims.email_verified === true ? textOrNull(claims.email) : null,
  name: textOrNull(claims.name),
  methods: Array.isArray(claims.amr) ? claims.amr.filter((one): one is string => typeof one === 'string') : [],
  context: textOrNull(claims.acr),
  authenticatedAt: typeof claims.auth_time === 'number' ? claims.auth_time : null,
});

const unavailable = left({
  kind: 'away',
  detail: 'The provider cannot be reached right now, or its metadata is inconsistent.',
} as const);
const signInRefused = left({
  kind: 'refused',
  detail: 'The provider did not sign you in, or its answer was not meant for this.',
} as const);

/** Maximum age of an authentication when recent authentication is required. */
const maxAuthenticationAgeSeconds = 300;

type AuthorizationParameters = Pick<SignInRequest, 'callback' | 'fresh' | 'contexts'>;

const authorizationUrlFor = async (
  config: client.Configuration,
  { callback, fresh, contexts }: AuthorizationParameters,
) => {
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
    ...(contexts.length === 0 ? {} : { acr_values: contexts.join(' ') }),
    state,
    nonce,
  });
  return { url: url.href, state, nonce, verifier };
};

export const openIdentityProviders = (limits: FetchLimits): IdentityProviders => {
  const configuration = createConfigurationCache(limits);
  const found = async (provider: Provider): Promise<Either<unknown, client.Configuration>> => {
    try {
      return right(await configuration(provider));
    } catch (error) {
      return left(error);
    }
  };
  return {
    beginSignIn: async ({ provider, ...request }) => {
      const config = await found(provider);
      if (config._tag === 'Left') return unavailable;
      try {
        return right(await authorizationUrlFor(config.right, request));
      } catch {
        // For example, the provider has no authorization endpoint.
        return unavailable;
      }
    },
    completeSignIn: async ({ provider, callback, state, nonce, verifier, fresh }) => {
      const config = await found(provider);
      if (config._tag === 'Left') return unavailable;
      try {
        const tokens = await client.authorizationCodeGrant(config.right, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(fresh ? { maxAge: maxAuthenticationAgeSeconds } : {}),
        });
        const claims = tokens.claims();
        return claims === undefined ? signInRefused : right(identityFromClaims(claims));
      } catch {
        // Hides the reason: it could reveal the internal network or repeat the provider's text.
        return signInRefused;
      }
    },
  };
};
