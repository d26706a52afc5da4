/** Secrets generated at first start, in files under the data directory that only the owner can read. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextServices } from '../../server/services';
import { ensureInternalKeys, internalKeyFiles } from './internal-keys';

const kinds = {
  /** Seals the sessions of browsers that gateways keep. */
  'session-key': 32,
  /** Nonces for proofs of possession follow from it, at the gateways and the token endpoint. */
  'dpop-nonce-key': 32,
  /** Wraps signing keys; everything derived comes from it. */
  'master-key': 32,
  /** Signs page cursors. */
  'cursor-key': 32,
  /** Seals personal columns of views. */
  'view-key': 32,
  /** Signs the URLs of blobs. */
  'blobs-key': 32,
  /** Signs addresses of what players read, and proofs of playbacks. */
  'video-delivery-key': 32,
  /** Postgres password of the role that can only read. */
  'reader-password': 24,
  /** Of the accounts that append to the event store, and that can only read it. */
  'event-store-writer-password': 24,
  'event-store-reader-password': 24,
  /** The first admin's one-time sign-in. */
  'bootstrap-code': 15,
} as const;

/** Of one service each, as the contexts' manifests declare. */
export const serviceSecrets: readonly string[] = contextServices.flatMap(({ secrets }) =>
  secrets.map(({ name }) => name),
);
const serviceSecretBytes = 32;

/** Paths by name: services get secrets as files, never as values in their environment. */
export type SecretFiles = {
  readonly [Name in keyof typeof kinds | 'internal-keys' | 'gateway-signing-key']: string;
} & {
  readonly [name: string]: string;
};

export const secretFile = (files: SecretFiles, name: string): string => {
  const path = files[name];
  if (path === undefined) throw new Error(`there is no secret ${name}`);
  return path;
};

const ensure = (path: string, bytes: number): void => {
  if (existsSync(path)) return;
  writeFileSync(`${path}.new`, randomBytes(bytes).toString('base64url'), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
};

export const ensureSecrets = (dataDirectory: string): SecretFiles => {
  const directory = join(dataDirectory, 'secrets');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ofServices = serviceSecrets.map((name) => [name, serviceSecretBytes] as const);
  const entries = [...Object.entries(kinds), ...ofServices].map(([name, bytes]) => {
    const path = join(directory, name);
    ensure(path, bytes);
    return [name, path] as const;
  });
  ensureInternalKeys(directory, { mode: 0o600 });
  const keys = internalKeyFiles.map((name) => [name, join(directory, name)] as const);
  return Object.fromEntries([...entries, ...keys]) as SecretFiles;
};

export const readSecret = (files: SecretFiles, name: string): string =>
  readFileSync(secretFile(files, name), 'utf8').trim();
