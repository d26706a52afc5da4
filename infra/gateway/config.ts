/** What the gateway is told by its environment. */
import { anyText, type ConfigOf, list, optional, orElse, variables, wholeNumber, word } from '../config';
import { largestBody } from '../http/body';

export const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  INTERNAL_KEY: variables.INTERNAL_KEY,
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
  /** Figures are not for the public: they have an address of their own, and only where a port is given. */
  METRICS_HOST: orElse(anyText, '127.0.0.1'),
  METRICS_PORT: optional(wholeNumber(0, 65_535)),
};
export type Config = ConfigOf<typeof config>;
