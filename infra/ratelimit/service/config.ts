/** What the service is told by its environment. */
import {
  anyText,
  type ConfigOf,
  listOf,
  optional,
  orElse,
  redisUrls,
  variables,
  wholeNumber,
  word,
} from '../../config';
import { signingKeyText } from '../../http/caller-signer';
import { callerVariables } from '../../http/serve';
import { isKeyMeaning } from '../envoy/descriptors';

const keyPairs = listOf('pairs as x-team=project with commas between', isKeyMeaning);
const names = listOf('names with commas between', (item) => /^\S{1,256}$/.test(item));

export const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  /** Signs what this process asks of the command and query APIs; needed with their URLs. */
  INTERNAL_SIGNING_KEY: optional(signingKeyText),
  /** Left out, nothing is counted in common: each rule says what then holds. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** Both given: quotas are recorded in the log; else they are what the store remembers. */
  COMMANDS_URL: optional(variables.COMMANDS_URL),
  READ_API_URL: optional(variables.READ_API_URL),
  /** Nodes of a cluster in place of that, for the counters. */
  RATELIMIT_CLUSTER: optional(redisUrls),
  /** Later than that is no answer of the store's. */
  RATELIMIT_STORE_MILLISECONDS: orElse(wholeNumber(1, 60_000), 50),
  /** JSON; its file is read again when it changes. Left out, a small built-in one holds. */
  RATELIMIT_POLICY: optional(anyText),
  /** Copies of this process, which share what passes while the store is away. */
  RATELIMIT_PROCESSES: orElse(wholeNumber(1, 10_000), 1),
  RATELIMIT_GRPC_HOST: orElse(anyText, '127.0.0.1'),
  /** Left out, no Envoy is answered. */
  RATELIMIT_GRPC_PORT: optional(wholeNumber(0, 65_535)),
  /** PEM: TLS, where both are given. */
  RATELIMIT_GRPC_CERTIFICATE: optional(anyText),
  RATELIMIT_GRPC_KEY: optional(anyText),
  /** PEM: whoever asks shows a certificate of these. */
  RATELIMIT_GRPC_CLIENT_AUTHORITIES: optional(anyText),
  RATELIMIT_GRPC_KEYS: orElse(keyPairs, []),
  /** Left out, all domains are known. */
  RATELIMIT_GRPC_DOMAINS: orElse(names, []),
  /** Whether limits that descriptors bring along take the place of those that are configured here. */
  RATELIMIT_GRPC_OVERRIDES: orElse(word('honoured', 'ignored'), 'ignored'),
};
export type Config = ConfigOf<typeof config>;
