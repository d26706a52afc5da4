/** `npm run secrets -- DIR`: the files that docker-compose.yml mounts as secrets, made once and never changed. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from '../../../packages/command-line/src/index';
import { printLine, readArguments } from '../../server/runtime/command-line';
import { ensureInternalKeys } from './internal-keys';
import { serviceSecrets } from './secret-files';

export const program = tool({
  name: 'npm run secrets --',
  about: 'Makes the secret files that docker-compose.yml mounts. Files that exist are left as they are.',
  arguments: [{ name: 'directory', about: 'where the files go: secrets, for docker-compose.yml as it is' }],
});

/** Bytes of randomness; URLs and shells take every character of base64url. */
const random: Readonly<Record<string, number>> = {
  'bootstrap-code': 15,
  'cursor-key': 32,
  'dpop-nonce-key': 32,
  'elasticsearch-password': 24,
  'event-store-admin-password': 24,
  'event-store-ops-password': 24,
  'event-store-reader-password': 24,
  'event-store-writer-password': 24,
  'master-key': 32,
  'postgres-password': 24,
  'postgres-reader-password': 24,
  'redis-password': 24,
  's3-access-key': 15,
  's3-secret-key': 30,
  'session-key': 32,
  'video-delivery-key': 32,
  'view-key': 32,
  ...Object.fromEntries(serviceSecrets.map((name) => [name, 32])),
};

type SecretOf = (name: string) => string;

const eventStore = (login: string, password: string): string =>
  `esdb://${login}:${password}@eventstore:2113?tls=true&tlsCAFile=/certs/ca/ca.crt`;

/** Addresses carry passwords. */
const urls: Readonly<Record<string, (secret: SecretOf) => string>> = {
  'elasticsearch-url': (secret) => `http://elastic:${secret('elasticsearch-password')}@elasticsearch:9200`,
  'event-store-admin-url': (secret) => eventStore('admin', secret('event-store-admin-password')),
  'event-store-reader-url': (secret) => eventStore('septet-reader', secret('event-store-reader-password')),
  'event-store-url': (secret) => eventStore('septet', secret('event-store-writer-password')),
  'postgres-reader-url': (secret) =>
    `postgres://septet_reader:${secret('postgres-reader-password')}@postgres:5432/septet`,
  'postgres-url': (secret) => `postgres://septet:${secret('postgres-password')}@postgres:5432/septet`,
  'redis-url': (secret) => `redis://:${secret('redis-password')}@redis:6379`,
};

/** The files are mounted one by one, readable for the containers' users; the directory is the owner's alone. */
const write = (path: string, value: string): void => {
  writeFileSync(path, value, { mode: 0o644, flag: 'wx', flush: true });
  chmodSync(path, 0o644);
};

export const writeSecrets = (directory: string): readonly string[] => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string => join(directory, name);
  const secret: SecretOf = (name) => readFileSync(pathOf(name), 'utf8');
  const missing = [...Object.keys(random), ...Object.keys(urls)].filter((name) => !existsSync(pathOf(name)));
  for (const name of missing) {
    const bytes = random[name];
    write(pathOf(name), bytes === undefined ? (urls[name]?.(secret) ?? '') : randomBytes(bytes).toString('base64url'));
  }
  return [...missing, ...ensureInternalKeys(directory, { mode: 0o644 })];
};

if (require.main === module) {
  const { directory } = readArguments(program).arguments;
  const made = writeSecrets(directory);
  printLine(made.length === 0 ? `All files exist in ${directory}.` : `Made in ${directory}: ${made.join(', ')}.`);
}
