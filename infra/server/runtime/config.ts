/** A process's configuration: decodes environment variables once and lists every fault, without values. */
import { readFileSync } from 'node:fs';
import { type Either, isLeft, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored } from '../../../domain/kernel/codec';
import { isRedisAddress } from './redis-address';

export type Environment = { readonly [variable: string]: string | undefined };

export interface ConfigFault {
  readonly variable: string;
  readonly expected: string;
}

const fromText = <A>(expected: string, read: (value: string) => A | undefined): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    expected,
    (value): value is A => value !== undefined,
    (value, context) => {
      const found = typeof value === 'string' ? read(value) : undefined;
      return found === undefined ? t.failure(value, context) : t.success(found);
    },
    t.identity,
  );

const withFallback = <A, B>(codec: t.Type<A, A, unknown>, fallback: B): t.Type<A | B, A | B, unknown> =>
  new t.Type<A | B, A | B, unknown>(
    codec.name,
    (value): value is A | B => codec.is(value),
    (value, context) => (value === undefined ? t.success<A | B>(fallback) : codec.validate(value, context)),
    t.identity,
  );

export const optional = <A>(codec: t.Type<A, A, unknown>) => withFallback(codec, undefined);
export const withDefault = <A>(codec: t.Type<A, A, unknown>, fallback: A) => withFallback(codec, fallback);

export const matching = (expected: string, shape: RegExp) =>
  fromText(expected, (value) => (shape.test(value) ? value : undefined));

export const textThat = (expected: string, holds: (value: string) => boolean) =>
  fromText(expected, (value) => (holds(value) ? value : undefined));

export const anyText = matching('some text', /\S/);
export const wholeNumber = (minimum: number, maximum: number) =>
  fromText(`a whole number from ${minimum} to ${maximum}`, (value) => {
    const found = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return found >= minimum && found <= maximum ? found : undefined;
  });
const itemsOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
export const list = fromText('a comma-separated list', itemsOf);
export const listOf = (expected: string, holds: (item: string) => boolean) =>
  fromText(expected, (value) => (itemsOf(value).every(holds) ? itemsOf(value) : undefined));
export const oneOfWords = <const Word extends string>(...words: readonly Word[]) =>
  fromText(`one of ${words.join(', ')}`, (value) => words.find((one) => one === value));

/** 32 random bytes in base64url are 43 characters; anything much shorter can be guessed. */
const key = matching('a secret of at least 32 printable characters', /^[\x21-\x7e]{32,}$/);
const isKey = (line: string): boolean => /^[\x21-\x7e]{32,}$/.test(line);
/** The first line is in use; the others are accepted, too, while one takes the place of another. */
const keyLines = fromText('one or more secrets, a line each, of at least 32 printable characters', (value) => {
  const lines = value.split('\n').map((line) => line.trim());
  return lines.every(isKey) ? lines : undefined;
});
export const httpUrl = matching('an http(s):// URL', /^https?:\/\/[^\s/]+/);
export const httpUrls = matching(
  'http(s):// URLs with commas between',
  /^https?:\/\/[^\s/,]+\/?(,https?:\/\/[^\s/,]+\/?)*$/,
);

/** Nodes of a cluster. */
export const redisUrls = listOf('redis:// or rediss:// URLs with commas between', (item) =>
  /^rediss?:\/\/\S+$/.test(item),
);

/** The operators' tenant; default: the first admin's tenant. */
export const operatorVariables = {
  PLATFORM_TENANT: optional(anyText),
  BOOTSTRAP_TENANT: withDefault(anyText, 'main'),
};

export const operatorsOf = (values: { readonly PLATFORM_TENANT?: string; readonly BOOTSTRAP_TENANT: string }): string =>
  values.PLATFORM_TENANT ?? values.BOOTSTRAP_TENANT;

/** The variables that several processes read; a name means the same everywhere. */
export const variables = {
  EVENTSTORE_URL: matching('an esdb:// or kurrentdb:// connection string', /^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/),
  POSTGRES_URL: matching('a postgres:// URL', /^postgres(ql)?:\/\/\S+$/),
  POSTGRES_READER_URL: matching('a postgres:// URL', /^postgres(ql)?:\/\/\S+$/),
  REDIS_URL: textThat(
    'a redis:// or rediss:// URL, or a cluster as redis+cluster:// or several URLs with commas between',
    isRedisAddress,
  ),
  ELASTICSEARCH_URL: httpUrl,
  /** Begins the names of indexes, where a cluster is shared. */
  ELASTICSEARCH_PREFIX: matching(
    'at most 60 lower-case letters, digits, - and _, beginning with a letter',
    /^[a-z][a-z0-9_-]{0,59}$/,
  ),
  MASTER_KEY: key,
  CURSOR_KEY: key,
  VIEW_KEY: key,
  SESSION_KEY: key,
  DPOP_NONCE_KEY: key,
  EDITOR_CLIENT_KEY: keyLines,
  WORKFLOW_JOB_KEY: key,
  PUBLIC_URL: httpUrl,
  COMMANDS_URL: httpUrls,
  PROCESSES_URL: httpUrls,
  WORKERS_URL: httpUrls,
  READ_API_URL: httpUrls,
  PROJECTIONS_URL: httpUrls,
  BLOBS_URL: httpUrls,
  ISSUER: httpUrl,
  HOST: withDefault(anyText, '127.0.0.1'),
  PORT: withDefault(wholeNumber(0, 65_535), 0),
  LOG_LEVEL: withDefault(oneOfWords('debug', 'info', 'warn', 'error'), 'info'),
  DATA_DIR: withDefault(anyText, '.data'),
  /** Absent: Amazon's endpoint of the region. */
  S3_ENDPOINT: optional(httpUrl),
  /** Where clients outside reach the same store, when they use another address. */
  S3_PUBLIC_ENDPOINT: optional(httpUrl),
  S3_REGION: withDefault(anyText, 'us-east-1'),
  /** The bucket of blobs; without it they are in the directory. */
  S3_BUCKET: optional(matching('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
  S3_ACCESS_KEY: optional(anyText),
  S3_SECRET_KEY: optional(anyText),
  BLOBS_DIR: withDefault(anyText, '.data/blobs'),
  BLOBS_KEY: optional(key),
};

const secretFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

type Found = { readonly value?: string } | { readonly fault: ConfigFault };

/** `X`, or the content of the file that `X_FILE` names, so that secrets need not stand in an environment. */
const find = (variable: string, env: Environment): Found => {
  const value = env[variable] || undefined;
  const path = env[`${variable}_FILE`] || undefined;
  if (path === undefined) return value === undefined ? {} : { value };
  if (value !== undefined) return { fault: { variable, expected: `either ${variable} or ${variable}_FILE, not both` } };
  const content = secretFile(path);
  if (content === undefined)
    return { fault: { variable: `${variable}_FILE`, expected: 'the path of a readable file' } };
  return { value: content };
};

export type ConfigOf<Props extends t.Props> = t.TypeOfProps<Props>;

export const loadConfig = <Props extends t.Props>(
  props: Props,
  env: Environment,
): Either<readonly ConfigFault[], ConfigOf<Props>> => {
  const found = Object.keys(props).map((variable) => [variable, find(variable, env)] as const);
  const faults = found.flatMap(([, value]) => ('fault' in value ? [value.fault] : []));
  const values = found.flatMap(([variable, value]) => ('value' in value ? [[variable, value.value]] : []));
  const config = decodeStored(t.strict(props), Object.fromEntries(values));
  if (!isLeft(config)) return faults.length > 0 ? left(faults) : config;
  const already = new Set(faults.map(({ variable }) => variable.replace(/_FILE$/, '')));
  const more = config.left.map(({ pointer, expected }) => ({ variable: pointer.slice(1), expected }));
  return left([...faults, ...more.filter(({ variable }) => !already.has(variable))]);
};
