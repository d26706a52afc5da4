/** Environment variables of the service. */

import { signingKeyText } from '../../server/http/identity/caller-signer';
import { callerVariables } from '../../server/http/routing/serve';
import {
  anyText,
  type ConfigOf,
  listOf,
  oneOfWords,
  operatorVariables,
  optional,
  redisUrls,
  variables,
  wholeNumber,
  withDefault,
} from '../../server/runtime/config';
import { isKeyMeaning } from '../envoy/descriptors';

const keyPairs = listOf('pairs as x-team=project with commas between', isKeyMeaning);
const names = listOf('names with commas between', (item) => /^\S{1,256}$/.test(item));

export const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  ...operatorVariables,
  /** Signs this process's calls to the command and query APIs; required with their URLs. */
  INTERNAL_SIGNING_KEY: optional(signingKeyText),
  /** Without it, no shared counters: each rule's `onStoreError` applies. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** With both, quota usage is recorded in the log; otherwise only the store counts it. */
  COMMANDS_URL: optional(variables.COMMANDS_URL),
  READ_API_URL: optional(variables.READ_API_URL),
  /** Nodes of a Redis cluster for the counters, instead of REDIS_URL, which may be a cluster, too. */
  RATELIMIT_CLUSTER: optional(redisUrls),
  /** Timeout of the store. */
  RATELIMIT_STORE_MILLISECONDS: withDefault(wholeNumber(1, 60_000), 50),
  /**
   * JSON; the file of RATELIMIT_POLICY_FILE is reloaded when it changes. The built-in default policy applies without
   * it.
   */
  RATELIMIT_POLICY: optional(anyText),
  /** Number of replicas, which share the local fallback limits. */
  RATELIMIT_PROCESSES: withDefault(wholeNumber(1, 10_000), 1),
  RATELIMIT_GRPC_HOST: withDefault(anyText, '127.0.0.1'),
  /** Without it, the gRPC endpoint is off. */
  RATELIMIT_GRPC_PORT: optional(wholeNumber(0, 65_535)),
  /** PEM; both together enable TLS. */
  RATELIMIT_GRPC_CERTIFICATE: optional(anyText),
  RATELIMIT_GRPC_KEY: optional(anyText),
  /** PEM: clients must present a certificate of one of these authorities. */
  RATELIMIT_GRPC_CLIENT_AUTHORITIES: optional(anyText),
  RATELIMIT_GRPC_KEYS: withDefault(keyPairs, []),
  /** Empty: all domains are known. */
  RATELIMIT_GRPC_DOMAINS: withDefault(names, []),
  /** Whether limits in descriptors replace the configured ones. */
  RATELIMIT_GRPC_OVERRIDES: withDefault(oneOfWords('honoured', 'ignored'), 'ignored'),
};
export type Config = ConfigOf<typeof config>;
