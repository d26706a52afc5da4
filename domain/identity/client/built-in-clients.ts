/** Built-in clients of every tenant. They are not recorded; only disabling one is. */
import { ApplicationId } from '../ids';
import { adminScopes, distinctScopes, personScopes } from '../scopes';
import { type BuiltInName, builtInNames } from './built-in-names';
import type { ClientMetadata } from './events';
import { type Application, firstEpochs } from './state';

const idOf = (name: BuiltInName): ApplicationId => {
  if (!ApplicationId.is(name)) throw new Error(`${name} cannot be the id of an application`);
  return name;
};

/** The console, whose backend is the gateway. */
export const consoleApplication = idOf('console');
/** Command-line tools: loopback redirect or device flow. */
export const cliApplication = idOf('cli');

export interface Installation {
  /** Public URL of the gateway, without a trailing slash. */
  readonly issuer: string;
  readonly audiences: readonly string[];
}

const daySeconds = 86_400;

/** Maximum scopes of built-in clients; a token gets what the person has. */
export const builtInScopes = distinctScopes([...adminScopes, ...personScopes]);

const commonMetadata = ({ audiences }: Installation) => ({
  authentication: 'none' as const,
  exactAuthentication: false,
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  scopes: builtInScopes,
  audiences: [...audiences],
  certificateBound: false,
  requirePushed: false,
  idTokenAlgorithm: 'RS256' as const,
  personClaimsInIdToken: false,
  fapi: false,
  pkce: 'required' as const,
  servicePrincipalId: null,
});

const consoleMetadata = (home: Installation): ClientMetadata => ({
  ...commonMetadata(home),
  name: builtInNames.console.name,
  redirectUris: [`${home.issuer}/session/callback`],
  postLogoutRedirectUris: [`${home.issuer}/`],
  grantTypes: ['authorization_code', 'refresh_token'],
  dpopBound: false,
  firstParty: true,
  refreshIdleSeconds: daySeconds,
  refreshAbsoluteSeconds: 7 * daySeconds,
});

/** Any program can impersonate it, so consent is required each time (RFC 8252 section 8.6). */
const cliMetadata = (home: Installation): ClientMetadata => ({
  ...commonMetadata(home),
  name: builtInNames.cli.name,
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback', 'http://localhost/callback'],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  dpopBound: false,
  firstParty: false,
  refreshIdleSeconds: 7 * daySeconds,
  refreshAbsoluteSeconds: 30 * daySeconds,
});

const builtInMetadata: ReadonlyMap<string, (home: Installation) => ClientMetadata> = new Map([
  [consoleApplication, consoleMetadata],
  [cliApplication, cliMetadata],
]);

export const isBuiltIn = (applicationId: ApplicationId): boolean => builtInMetadata.has(applicationId);

export const builtInApplication = (applicationId: ApplicationId, home: Installation): Application | undefined => {
  const metadata = builtInMetadata.get(applicationId)?.(home);
  if (metadata === undefined) return undefined;
  return { kind: 'registered', applicationId, enabled: true, secrets: new Map(), ...firstEpochs, ...metadata };
};
