/** What the gateway is told by its environment. */
import {
  anyText,
  type ConfigOf,
  httpUrls,
  list,
  listOf,
  matching,
  optional,
  orElse,
  variables,
  wholeNumber,
  word,
} from '../config';
import { largestBody } from '../http/body';
import { callerKeysText } from '../http/caller-keys';
import { macKeyText } from '../http/caller-mac';
import { signingKeyText } from '../http/caller-signer';
import type { ServiceContext } from '../service';
import { contextServices, macKeyVariable, systemServices, urlVariable } from '../services';
import type { Closers } from '../shutdown';
import { parseCidr } from './authentication/client-address';
import { maxModelBody } from './models/routes';
import { policyText } from './rate-limit/configured-policy';

const path = matching('a path without an end slash', /^(\/[A-Za-z0-9._-]+)+$/);
const cidrList = listOf('addresses and networks with commas between', (item) => parseCidr(item) !== undefined);
const bytesPerTokenList = listOf('models and bytes with commas between, `gpt-4o*=4`', (item) =>
  /^[^=\s]+=(?!0+(?:\.0+)?$)\d{1,3}(?:\.\d{1,3})?$/.test(item),
);

/** `<NAME>_MAC_KEY`: shared with one service each; left out, the gateway signs what it tells that service of callers, which costs more. */
const macKeys = Object.fromEntries(
  systemServices.filter(({ hasMacKey }) => hasMacKey).map(({ name }) => [macKeyVariable(name), optional(macKeyText)]),
);

/** `<NAME>_URL` of the contexts' services: of one copy, or of several with commas between; left out, the service does not run. */
const serviceUrls = Object.fromEntries(contextServices.map(({ name }) => [urlVariable(name), optional(httpUrls)]));

const own = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  /** The key of the gateways alone: what it signs is believed of any caller. */
  INTERNAL_SIGNING_KEY: signingKeyText,
  INTERNAL_KEYS: callerKeysText,
  SESSION_KEY: variables.SESSION_KEY,
  DPOP_NONCE_KEY: variables.DPOP_NONCE_KEY,
  PUBLIC_URL: variables.PUBLIC_URL,
  ISSUER: variables.ISSUER,
  AUDIENCE: orElse(anyText, 'septet'),
  COMMANDS_URL: variables.COMMANDS_URL,
  /** Left out, the command API says that what processes serve is not there. */
  PROCESSES_URL: optional(variables.PROCESSES_URL),
  READ_API_URL: variables.READ_API_URL,
  /** Only asked how they are; left out, nobody is told. */
  PROJECTIONS_URL: optional(variables.PROJECTIONS_URL),
  /** Left out, there are no blobs here: those of a bucket have its address. */
  BLOBS_URL: optional(variables.BLOBS_URL),
  EVENTSTORE_URL: optional(variables.EVENTSTORE_URL),
  REDIS_URL: optional(variables.REDIS_URL),
  ALLOWED_ORIGINS: orElse(list, []),
  BODY_LIMIT: orElse(wholeNumber(1, largestBody), largestBody),
  /** Traces that callers begin are continued: only where something of ours stands in front and begins them. */
  TRUST_TRACEPARENT: orElse(word('true', 'false'), 'false'),
  /** Whether proofs of possession must hold a nonce of ours; else they may. */
  DPOP_NONCE: orElse(word('required', 'optional'), 'required'),
  /** PEM: given, TLS ends at the gateway; else somewhere before it. */
  TLS_CERTIFICATE: optional(anyText),
  TLS_KEY: optional(anyText),
  /** Whether clients are asked for certificates, and which authorities (PEM) make one a trusted one. */
  TLS_CLIENT_CERTIFICATES: orElse(word('asked', 'ignored'), 'ignored'),
  TLS_CLIENT_AUTHORITIES: optional(anyText),
  /** Addresses and networks whose `Client-Cert` and `X-Forwarded-For` headers are believed. */
  TRUSTED_PROXIES: orElse(cidrList, []),
  /** Where proxies stand that ask about requests of theirs; left out, nobody may. */
  EXT_AUTHZ_PEERS: orElse(cidrList, []),
  EXT_AUTHZ_PATH: orElse(path, '/ext-authz'),
  /** What such requests may be for, the first when none is named; left out, what our own are for. */
  EXT_AUTHZ_AUDIENCES: orElse(list, []),
  /** JSON: what callers may ask for; ours when left out. */
  GATEWAY_RATELIMIT_POLICY: optional(policyText),
  /** Rules of it that are not to hold, by name. */
  GATEWAY_RATELIMIT_OFF: orElse(list, []),
  /** How many gateways there are: each lets its share pass while Redis is away. */
  GATEWAY_COPIES: orElse(wholeNumber(1, 10_000), 1),
  /** A service that speaks as OpenAI's does, up to `/v1`; left out, there is no way to models. */
  MODELS_URL: optional(variables.PUBLIC_URL),
  /** Our account there. */
  MODELS_KEY: optional(anyText),
  /** JSON: what callers may use of it; ours when left out. */
  MODELS_POLICY: optional(policyText),
  MODELS_BODY_LIMIT: orElse(wholeNumber(1_024, maxModelBody), 4_194_304),
  /** Of text, in UTF-8; 4 of models that are not named. */
  MODELS_BYTES_PER_TOKEN: orElse(bytesPerTokenList, []),
  /** Figures are not for the public: they have an address of their own, and only where a port is given. */
  METRICS_HOST: orElse(anyText, '127.0.0.1'),
  METRICS_PORT: optional(wholeNumber(0, 65_535)),
};
/** The variables whose names follow from the services are read by `urlOf` and `macKeyOf`. */
export const config = { ...macKeys, ...serviceUrls, ...own } as typeof own;
export type Config = ConfigOf<typeof config>;

const textOf = (values: Partial<Config>, variable: string): string | undefined =>
  (values as { readonly [name: string]: string | undefined })[variable];

/** Undefined: the service does not run. */
export const urlOf = (values: Partial<Config>, service: string): string | undefined =>
  textOf(values, urlVariable(service));
export const macKeyOf = (values: Partial<Config>, service: string): string | undefined =>
  textOf(values, macKeyVariable(service));

/** What the parts of the gateway are opened with. */

export interface GatewayContext {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: Closers;
}
