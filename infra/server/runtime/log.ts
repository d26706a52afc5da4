/** JSON lines on standard output. Secrets are dropped by the name of their field, and by their shape inside texts. */
import { isNativeError } from 'node:util/types';
import pino, { type DestinationStream } from 'pino';
import type { Log } from '../../ports/runtime/log';
import type { ActiveSpan } from '../../ports/runtime/trace';

const secretNames =
  /authori[sz]ation|cookie|secret|token|ticket|dpop|passw|passphrase|credential|(api|access|internal|session|nonce|master|cursor|blobs)[-_]?key|private|assertion|signature/i;
/** Ids of secrets are not secrets, and are what an operator searches for. */
const plainNames = /^(tokenId|token_id|tokenType|credentialId|secretName)$/;
const removed = '[removed]';
const maxDepth = 8;
const maxListLength = 100;

/** Longer texts are user content. Every pattern runs in linear time. */
const maxTextLength = 16_384;

const shapes: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]+@/gi, `$1${removed}@`],
  [
    /([?&][\w.-]{0,64}(?:token|ticket|secret|password|signature|credential|key|code|dpop)=)[^&\s"'#]+/gi,
    `$1${removed}`,
  ],
  [/\b(passw(?:or)?d\s*[=:]\s*)[^\s,;]+/gi, `$1${removed}`],
  [/(\/blobs\/|septet\.ticket\.)[\w-]+\.[\w.-]+/g, `$1${removed}`],
  // An identity header, a ticket.
  [/\b[vt]1\.[\w-]{16,}\.[\w-]{16,}/g, removed],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g, removed],
  [/\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${removed}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, removed],
];

const withoutSecrets = (text: string): string => {
  const shortened = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return shapes.reduce((left, [shape, instead]) => left.replace(shape, instead), shortened);
};

const ofError = (error: Error, depth: number): unknown => ({
  type: error.name,
  message: withoutSecrets(error.message),
  stack: withoutSecrets(error.stack ?? ''),
  ...('code' in error ? { code: String(error.code) } : {}),
  ...(error.cause === undefined ? {} : { cause: cleaned(error.cause, depth + 1) }),
});

const cleaned = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[deeper]';
  // Also one of another realm, which is no instance of this one's Error.
  if (value instanceof Error || isNativeError(value)) return ofError(value, depth);
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.slice(0, maxListLength).map((item) => cleaned(item, depth + 1));
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    secretNames.test(name) && !plainNames.test(name) ? removed : cleaned(field, depth + 1),
  ]);
  return Object.fromEntries(fields);
};

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogOptions {
  readonly service: string;
  readonly level: LogLevel;
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
  /** What runs now, where it is known. */
  readonly about?: () => ActiveSpan | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A line's own fields take precedence over those of the active span. */
const placed = (fields: Fields, running: ActiveSpan | undefined): Fields => {
  if (running === undefined) return fields;
  const { traceId, requestId } = running;
  return { traceId, ...(requestId === undefined ? {} : { requestId }), ...fields };
};

export const openLog = ({ service, level, destination, about = () => undefined }: LogOptions): Log => {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (fields: Record<string, unknown>) => cleaned(fields, 0) as Record<string, unknown> },
    serializers: {},
  };
  // Synchronous: the last lines before a crash are the ones that matter.
  const logger = pino(options, destination ?? pino.destination({ dest: 1, sync: true }));
  const auditor = logger.child({}, { level: 'info' });
  return {
    debug: (fields, message) => logger.debug(placed(fields, about()), message),
    info: (fields, message) => logger.info(placed(fields, about()), message),
    warn: (fields, message) => logger.warn(placed(fields, about()), message),
    error: (fields, message) => logger.error(placed(fields, about()), message),
    audit: (fields, message) => auditor.info(placed(fields, about()), message),
  };
};
