/**
 * The keys that processes know each other by, as files: a private one for each process that signs, and one set of public keys that
 * all verify with. Made at the first start; changed by `npm run internal-keys`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type Assertable, type CallerJwk, readCallerJwks } from '../http/caller-keys';
import { readSigningKey } from '../http/caller-signer';
import { publicJwkOf } from '../kms/public-jwk';
import { limiterPrincipal } from '../ratelimit/service/usage-ledger';
import { Stop } from './stop';

/** Which processes sign, and whom their keys may assert. */
const holders = {
  gateway: 'everybody',
  ratelimit: { principalId: limiterPrincipal.principalId, scopes: [...limiterPrincipal.scopes] },
} as const satisfies { readonly [holder: string]: Assertable };

export type KeyHolder = keyof typeof holders;
export const keyHolders = Object.keys(holders) as readonly KeyHolder[];

const publicKeysFile = 'internal-keys';
const signingKeyFile = (holder: KeyHolder) => `${holder}-signing-key` as const;

export type InternalKeyFile = typeof publicKeysFile | ReturnType<typeof signingKeyFile>;
export const internalKeyFiles: readonly InternalKeyFile[] = [publicKeysFile, ...keyHolders.map(signingKeyFile)];

const publicPath = (directory: string): string => join(directory, publicKeysFile);
const currentPath = (directory: string, holder: KeyHolder): string => join(directory, signingKeyFile(holder));
const nextPath = (directory: string, holder: KeyHolder): string => `${currentPath(directory, holder)}.next`;

export interface FileOptions {
  /** Of private keys: containers read mounted files as another user. */
  readonly mode: number;
}

/** In place where the file is there: a file that is mounted alone is not seen to be replaced. */
const write = (path: string, content: string, mode: number): void => {
  writeFileSync(path, content, { mode, flush: true });
  chmodSync(path, mode);
};

const newPrivateKey = (path: string, { mode }: FileOptions): void => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  write(`${path}.new`, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), mode);
  renameSync(`${path}.new`, path);
};

const publicJwks = (directory: string): readonly CallerJwk[] => {
  if (!existsSync(publicPath(directory))) return [];
  const keys = readCallerJwks(readFileSync(publicPath(directory), 'utf8'));
  if (isLeft(keys)) throw new Stop(`${publicPath(directory)}: ${keys.left}`);
  return keys.right;
};

const writePublic = (directory: string, keys: readonly CallerJwk[]): void =>
  write(publicPath(directory), `${JSON.stringify({ keys }, null, 2)}\n`, 0o644);

const jwkOf = (path: string, holder: KeyHolder): CallerJwk => {
  const key = readSigningKey(readFileSync(path, 'utf8').trim());
  if (isLeft(key)) throw new Stop(`${path}: ${key.left}`);
  const jwk = publicJwkOf(key.right.privateKey);
  if (jwk?.kty !== 'EC') throw new Stop(`${path} is no EC P-256 key.`);
  const asserts = holders[holder];
  return { ...jwk, holder, asserts: asserts === 'everybody' ? asserts : { ...asserts, scopes: [...asserts.scopes] } };
};

/** What is in the set is kept: a rotation may be under way. */
const publish = (directory: string, keys: readonly CallerJwk[]): readonly CallerJwk[] => {
  const known = publicJwks(directory);
  const missing = keys.filter(({ kid }) => !known.some((one) => one.kid === kid));
  if (missing.length > 0) writePublic(directory, [...known, ...missing]);
  return missing;
};

/** Makes what is missing; answers the names of the files that it made. */
export const ensureInternalKeys = (directory: string, options: FileOptions): readonly InternalKeyFile[] => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const made = keyHolders.filter((holder) => !existsSync(currentPath(directory, holder)));
  for (const holder of made) newPrivateKey(currentPath(directory, holder), options);
  const isNew = !existsSync(publicPath(directory));
  publish(
    directory,
    keyHolders.map((holder) => jwkOf(currentPath(directory, holder), holder)),
  );
  return [...made.map(signingKeyFile), ...(isNew ? ([publicKeysFile] as const) : [])];
};

/** First step of a rotation: a new key, which is published and does not sign yet. Answers its id. */
export const addNextKey = (directory: string, holder: KeyHolder, options: FileOptions): string => {
  const path = nextPath(directory, holder);
  if (!existsSync(path)) newPrivateKey(path, options);
  const jwk = jwkOf(path, holder);
  publish(directory, [jwk]);
  return jwk.kid;
};

/** Second step: the next key signs. Answers its id. */
export const useNextKey = (directory: string, holder: KeyHolder, { mode }: FileOptions): string => {
  const path = nextPath(directory, holder);
  if (!existsSync(path)) throw new Stop(`There is no next key of ${holder}: add one first.`);
  const { kid } = jwkOf(path, holder);
  if (!publicJwks(directory).some((one) => one.kid === kid))
    throw new Stop(`The next key of ${holder} is not published: add it first.`);
  write(currentPath(directory, holder), readFileSync(path, 'utf8'), mode);
  rmSync(path);
  return kid;
};

/** Last step: what the former keys signed is refused. Answers their ids. */
export const retireFormerKeys = (directory: string, holder: KeyHolder): readonly string[] => {
  const kept = [currentPath(directory, holder), nextPath(directory, holder)]
    .filter((path) => existsSync(path))
    .map((path) => jwkOf(path, holder).kid);
  const keys = publicJwks(directory);
  const former = keys.filter((key) => key.holder === holder && !kept.includes(key.kid));
  if (former.length > 0)
    writePublic(
      directory,
      keys.filter((key) => !former.includes(key)),
    );
  return former.map(({ kid }) => kid);
};

export interface KeyStatus {
  readonly holder: string;
  readonly keyId: string;
  readonly state: 'signs' | 'next' | 'former';
}

export const internalKeyStatus = (directory: string): readonly KeyStatus[] => {
  const idAt = (path: string, holder: KeyHolder) => (existsSync(path) ? jwkOf(path, holder).kid : undefined);
  const signing = keyHolders.map((holder) => idAt(currentPath(directory, holder), holder));
  const next = keyHolders.map((holder) => idAt(nextPath(directory, holder), holder));
  return publicJwks(directory).map(({ holder, kid }) => ({
    holder,
    keyId: kid,
    state: signing.includes(kid) ? 'signs' : next.includes(kid) ? 'next' : 'former',
  }));
};
