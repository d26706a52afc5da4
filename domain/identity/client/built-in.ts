/** Applications of ours that every tenant has without registering them. They are not recorded: only that one is disabled is. */
import { ApplicationId } from '../ids';
import { adminScopes, distinct, personScopes } from '../scopes';
import type { ClientMetadata } from './events';
import type { Application } from './state';

const idOf = (name: string): ApplicationId => {
  if (!ApplicationId.is(name)) throw new Error(`${name} cannot be the id of an application`);
  return name;
};

/** The console's backend in the gateway. */
export const consoleApplication = idOf('console');
/** Command-line tools: a redirect to this machine, or the device flow. */
export const cliApplication = idOf('cli');

export interface Home {
  /** Where the gateway is, as browsers know it; no slash at the end. */
  readonly issuer: string;
  readonly audiences: readonly string[];
}

const day = 86_400;

const common = ({ audiences }: Home) => ({
  authentication: 'none' as const,
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  /** The most: what somebody gets depends on who they are. */
  scopes: distinct([...adminScopes, ...personScopes]),
  audiences: [...audiences],
  certificateBound: false,
  requirePushed: false,
  servicePrincipalId: null,
});

const consoleOf = (home: Home): ClientMetadata => ({
  ...common(home),
  name: 'Septet console',
  redirectUris: [`${home.issuer}/session/callback`],
  postLogoutRedirectUris: [`${home.issuer}/`],
  grantTypes: ['authorization_code', 'refresh_token'],
  dpopBound: false,
  firstParty: true,
  refreshIdleSeconds: day,
  refreshAbsoluteSeconds: 7 * day,
});

/** Anybody's program can pose as it, so people are asked each time, as RFC 8252 section 8.6 has it. */
const cliOf = (home: Home): ClientMetadata => ({
  ...common(home),
  name: 'Septet command line',
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback', 'http://localhost/callback'],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  dpopBound: false,
  firstParty: false,
  refreshIdleSeconds: 7 * day,
  refreshAbsoluteSeconds: 30 * day,
});

const metadataOf: ReadonlyMap<string, (home: Home) => ClientMetadata> = new Map([
  [consoleApplication, consoleOf],
  [cliApplication, cliOf],
]);

export const isBuiltIn = (applicationId: ApplicationId): boolean => metadataOf.has(applicationId);

export const builtInApplication = (applicationId: ApplicationId, home: Home): Application | undefined => {
  const metadata = metadataOf.get(applicationId)?.(home);
  if (metadata === undefined) return undefined;
  return { kind: 'registered', applicationId, enabled: true, secrets: new Map(), ...metadata };
};
