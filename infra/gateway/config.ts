/** Environment variables of the gateway, and the context that its parts are opened with. */

import { callerKeysText } from '../server/http/identity/caller-keys';
import { macKeyText } from '../server/http/identity/caller-mac';
import { signingKeyText } from '../server/http/identity/caller-signer';
import { maxBodyBytes } from '../server/http/routing/request-body';
import {
  anyText,
  type ConfigOf,
  httpUrls,
  list,
  listOf,
  matching,
  oneOfWords,
  operatorVariables,
  optional,
  variables,
  wholeNumber,
  withDefault,
} from '../server/runtime/config';
import type { ServiceContext } from '../server/runtime/service';
import type { ShutdownSteps } from '../server/runtime/shutdown';
import { contextServices, macKeyVariable, systemServices, urlVariable } from '../server/services';
import { edgeVariables } from '../server/video/edges';
import { parseCidr } from './authentication/client-address';
import { maxModelBody } from './models/routes';
import { policyText } from './rate-limit/configured-policy';

const path = matching('a path without an end slash', /^(\/[A-Za-z0-9._-]+)+$/);
const cidrList = listOf('addresses and networks with commas between', (item) => parseCidr(item) !== undefined);
const bytesPerTokenList = listOf('models and bytes with commas between, `gpt-4o*=4`', (item) =>
  /^[^=\s]+=(?!0+(?:\.0+)?$)\d{1,3}(?:\.\d{1,3})?$/.test(item),
);

/** `<NAME>_MAC_KEY`: shared with one service each. Without it the gateway signs the identity header asymmetrically, which costs more. */
const macKeys = Object.fromEntries(
  systemServices.filter(({ hasMacKey }) => hasMacKey).map(({ name }) => [macKeyVariable(name), optional(macKeyText)]),
);

/** `<NAME>_URL` of the contexts' services: one endpoint, or several separated by commas. Without it the service does not run. */
const serviceUrls = Object.fromEntries(contextServices.map(({ name }) => [urlVariable(name), optional(httpUrls)]));

const own = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  /** Signing key that only gateways have: every service trusts identity headers signed with it. */
  INTERNAL_SIGNING_KEY: signingKeyText,
  INTERNAL_KEYS: callerKeysText,
  SESSION_KEY: variables.SESSION_KEY,
  DPOP_NONCE_KEY: variables.DPOP_NONCE_KEY,
  PUBLIC_URL: variables.PUBLIC_URL,
  ISSUER: variables.ISSUER,
  AUDIENCE: withDefault(anyText, 'septet'),
  COMMANDS_URL: variables.COMMANDS_URL,
  /** Without it the command API answers 404 for the routes of processes. */
  PROCESSES_URL: optional(variables.PROCESSES_URL),
  READ_API_URL: variables.READ_API_URL,
  /** Used by the platform health only; without it workers are not listed there. */
  WORKERS_URL: optional(variables.WORKERS_URL),
  /** Used by the platform health only; without it projections are not listed there. */
  PROJECTIONS_URL: optional(variables.PROJECTIONS_URL),
  /** Without it the gateway serves no blobs: a bucket has an address of its own. */
  BLOBS_URL: optional(variables.BLOBS_URL),
  /** Pages of the console reach a bucket at its own address. */
  S3_BUCKET: variables.S3_BUCKET,
  S3_ENDPOINT: variables.S3_ENDPOINT,
  S3_PUBLIC_ENDPOINT: variables.S3_PUBLIC_ENDPOINT,
  ...edgeVariables,
  S3_REGION: variables.S3_REGION,
  EVENTSTORE_URL: optional(variables.EVENTSTORE_URL),
  REDIS_URL: optional(variables.REDIS_URL),
  ...operatorVariables,
  ALLOWED_ORIGINS: withDefault(list, []),
  BODY_LIMIT: withDefault(wholeNumber(1, maxBodyBytes), maxBodyBytes),
  /** Continues `traceparent` of requests. Only for a gateway behind a trusted proxy that starts traces. */
  TRUST_TRACEPARENT: withDefault(oneOfWords('true', 'false'), 'false'),
  /** Whether DPoP proofs must contain a nonce of the gateway. */
  DPOP_NONCE: withDefault(oneOfWords('required', 'optional'), 'required'),
  /** PEM. When set, the gateway terminates TLS; otherwise a proxy in front does. */
  TLS_CERTIFICATE: optional(anyText),
  TLS_KEY: optional(anyText),
  /** Whether the gateway requests client certificates, and the authorities (PEM) that make one trusted. */
  TLS_CLIENT_CERTIFICATES: withDefault(oneOfWords('asked', 'ignored'), 'ignored'),
  TLS_CLIENT_AUTHORITIES: optional(anyText),
  /** Addresses and networks whose `Client-Cert` and `X-Forwarded-For` headers the gateway trusts. */
  TRUSTED_PROXIES: withDefault(cidrList, []),
  /** Proxies that may send check requests (ext_authz); without it no proxy may. */
  EXT_AUTHZ_PEERS: withDefault(cidrList, []),
  EXT_AUTHZ_PATH: withDefault(path, '/ext-authz'),
  /** Audiences that check requests may name; the first is the default. Without it, the gateway's own audience. */
  EXT_AUTHZ_AUDIENCES: withDefault(list, []),
  /** Rate limit policy as JSON; default: `default-policy.ts`. */
  GATEWAY_RATELIMIT_POLICY: optional(policyText),
  /** Names of rules to switch off. */
  GATEWAY_RATELIMIT_OFF: withDefault(list, []),
  /** Number of gateways: while Redis is unavailable, each allows its share of the limits. */
  GATEWAY_COPIES: withDefault(wholeNumber(1, 10_000), 1),
  /** Base URL, without `/v1`, of a service with OpenAI's API; without it there is no model proxy. */
  MODELS_URL: optional(variables.PUBLIC_URL),
  /** API key of the installation's account at the model service. */
  MODELS_KEY: optional(anyText),
  /** Policy of model limits as JSON; default: `models/default-policy.ts`. */
  MODELS_POLICY: optional(policyText),
  MODELS_BODY_LIMIT: withDefault(wholeNumber(1_024, maxModelBody), 4_194_304),
  /** Bytes of UTF-8 text per token, by model; 4 for models that are not listed. */
  MODELS_BYTES_PER_TOKEN: withDefault(bytesPerTokenList, []),
  /** Metrics have a listener of their own, which starts only when a port is set. */
  METRICS_HOST: withDefault(anyText, '127.0.0.1'),
  METRICS_PORT: optional(wholeNumber(0, 65_535)),
};
/** `urlOf` and `macKeyOf` read the variables whose names derive from the services. */
export const config = { ...macKeys, ...serviceUrls, ...own } as typeof own;
export type Config = ConfigOf<typeof config>;

const textOf = (values: Partial<Config>, variable: string): string | undefined =>
  (values as { readonly [name: string]: string | undefined })[variable];

/** Undefined: the service does not run. */
export const urlOf = (values: Partial<Config>, service: string): string | undefined =>
  textOf(values, urlVariable(service));
export const macKeyOf = (values: Partial<Config>, service: string): string | undefined =>
  textOf(values, macKeyVariable(service));

export interface GatewayContext {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: ShutdownSteps;
}
