/**
 * Files of the keys with which processes authenticate each other: a private key for each process that signs, one set of public keys for
 * all verifiers, and for each busy service a MAC key that it shares with the gateway. Created at the first start; rotated by
 * `npm run internal-keys`.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { publicJwkOf } from '../../adapters/kms/signing-key';
import { type Assertable, type CallerJwk, readCallerJwks } from '../../server/http/identity/caller-keys';
import { type MacKey, type MacKeyState, macKeyId, readMacKeys } from '../../server/http/identity/caller-mac';
import { readSigningKey } from '../../server/http/identity/caller-signer';
import { macKeyFile, signingKeyFile, systemServices } from '../../server/services';
import { OperatorError } from './operator-error';

interface CallerKeyHolder {
  readonly holder: string;
  readonly asserts: Assertable;
}

/** Signing processes, and the callers that their keys may assert. */
const signers: ReadonlyMap<string, CallerKeyHolder> = new Map([
  [signingKeyFile('gateway'), { holder: 'gateway', asserts: 'everybody' }],
  ...systemServices.flatMap(({ name, signsAs }): [string, CallerKeyHolder][] =>
    signsAs === undefined
      ? []
      : [[signingKeyFile(name), { holder: name, asserts: { ...signsAs, scopes: [...signsAs.scopes] } }]],
  ),
]);

const signerOf = (name: string) => {
  const signer = signers.get(name);
  if (signer === undefined) throw new Error(`no process signs with ${name}`);
  return signer;
};

/** One per service that shares a MAC key with the gateway. */
const macKeyNames: readonly string[] = systemServices
  .filter(({ hasMacKey }) => hasMacKey)
  .map(({ name }) => macKeyFile(name))
  .sort();

const signingKeyNames: readonly string[] = [...signers.keys()];
const publicKeysFile = 'internal-keys';

export const internalKeyNames: readonly string[] = [...signingKeyNames, ...macKeyNames];
export const internalKeyFiles: readonly string[] = [publicKeysFile, ...internalKeyNames];

export interface FileOptions {
  /** Of private keys: containers read mounted files as another user. */
  readonly mode: number;
}

/** In place where the file is there: a file that is mounted alone is not seen to be replaced. */
const write = (path: string, content: string, mode: number): void => {
  writeFileSync(path, content, { mode, flush: true });
  chmodSync(path, mode);
};

const writeNew = (path: string, content: string, { mode }: FileOptions): void => {
  write(`${path}.new`, content, mode);
  renameSync(`${path}.new`, path);
};

/** A file of keys in a directory, and the steps of its rotation. */
interface Rotation {
  /** The first step: a key that is accepted and not used yet. Answers its id. */
  readonly add: (files: FileOptions) => string;
  /** The second: it is used. Answers its id. */
  readonly use: (files: FileOptions) => string;
  /** The last: the former keys are refused. Answers their ids. */
  readonly retire: (files: FileOptions) => readonly string[];
  readonly states: () => readonly { readonly keyId: string; readonly state: MacKeyState }[];
}

const publicJwks = (directory: string): readonly CallerJwk[] => {
  const path = join(directory, publicKeysFile);
  if (!existsSync(path)) return [];
  const keys = readCallerJwks(readFileSync(path, 'utf8'));
  if (isLeft(keys)) throw new OperatorError(`${path}: ${keys.left}`);
  return keys.right;
};

const writePublic = (directory: string, keys: readonly CallerJwk[]): void =>
  write(join(directory, publicKeysFile), `${JSON.stringify({ keys }, null, 2)}\n`, 0o644);

/** Existing keys stay in the set, because a rotation may be in progress. */
const publish = (directory: string, keys: readonly CallerJwk[]): void => {
  const known = publicJwks(directory);
  const missing = keys.filter(({ kid }) => !known.some((one) => one.kid === kid));
  if (missing.length > 0) writePublic(directory, [...known, ...missing]);
};

const newPrivateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const jwkAt = (path: string, name: string): CallerJwk => {
  const key = readSigningKey(readFileSync(path, 'utf8').trim());
  if (isLeft(key)) throw new OperatorError(`${path}: ${key.left}`);
  const jwk = publicJwkOf(key.right.privateKey);
  if (jwk?.kty !== 'EC') throw new OperatorError(`${path} is not an EC P-256 key.`);
  const { holder, asserts } = signerOf(name);
  return { ...jwk, holder, asserts: asserts === 'everybody' ? asserts : { ...asserts, scopes: [...asserts.scopes] } };
};

const signingKeyRotation = (directory: string, name: string): Rotation => {
  const [current, next] = [join(directory, name), join(directory, `${name}.next`)];
  const idAt = (path: string) => (existsSync(path) ? jwkAt(path, name).kid : undefined);
  const published = () => publicJwks(directory).filter(({ holder }) => holder === signerOf(name).holder);
  const stateOf = ({ kid }: CallerJwk): MacKeyState =>
    kid === idAt(current) ? 'signs' : kid === idAt(next) ? 'next' : 'former';
  return {
    add: (files) => {
      if (!existsSync(next)) writeNew(next, newPrivateKey(), files);
      const jwk = jwkAt(next, name);
      publish(directory, [jwk]);
      return jwk.kid;
    },
    use: ({ mode }) => {
      const kid = idAt(next);
      if (kid === undefined) throw new OperatorError(`There is no next ${name}: add one first.`);
      if (!published().some((one) => one.kid === kid))
        throw new OperatorError(`The next ${name} is not published: add it first.`);
      write(current, readFileSync(next, 'utf8'), mode);
      rmSync(next);
      return kid;
    },
    retire: () => {
      const former = published().filter((jwk) => stateOf(jwk) === 'former');
      const remaining = publicJwks(directory).filter(({ kid }) => !former.some((one) => one.kid === kid));
      if (former.length > 0) writePublic(directory, remaining);
      return former.map(({ kid }) => kid);
    },
    states: () => published().map((jwk) => ({ keyId: jwk.kid, state: stateOf(jwk) })),
  };
};

const newSecret = (): string => randomBytes(32).toString('base64url');
const macKeyLines = (keys: readonly MacKey[]): string =>
  keys.map(({ state, secret }) => `${state} ${secret}\n`).join('');

const macKeyRotation = (directory: string, name: string): Rotation => {
  const path = join(directory, name);
  const read = (): readonly MacKey[] => {
    const keys = readMacKeys(readFileSync(path, 'utf8').trim());
    if (isLeft(keys)) throw new OperatorError(`${path}: ${keys.left}`);
    return keys.right;
  };
  const nextOf = (keys: readonly MacKey[]) => keys.find(({ state }) => state === 'next');
  return {
    add: ({ mode }) => {
      const keys = read();
      const { secret } = nextOf(keys) ?? { secret: newSecret() };
      if (nextOf(keys) === undefined) write(path, macKeyLines([...keys, { state: 'next', secret }]), mode);
      return macKeyId(secret);
    },
    use: ({ mode }) => {
      const keys = read();
      const next = nextOf(keys);
      if (next === undefined) throw new OperatorError(`There is no next ${name}: add one first.`);
      write(path, macKeyLines(keys.map((key) => ({ ...key, state: key === next ? 'signs' : 'former' }))), mode);
      return macKeyId(next.secret);
    },
    retire: ({ mode }) => {
      const keys = read();
      const former = keys.filter(({ state }) => state === 'former');
      if (former.length > 0) write(path, macKeyLines(keys.filter((key) => !former.includes(key))), mode);
      return former.map(({ secret }) => macKeyId(secret));
    },
    states: () => read().map(({ state, secret }) => ({ keyId: macKeyId(secret), state })),
  };
};

const isSigningKey = (name: string): boolean => signers.has(name);

export const rotationOf = (directory: string, name: string): Rotation =>
  isSigningKey(name) ? signingKeyRotation(directory, name) : macKeyRotation(directory, name);

/** Makes what is missing; answers the names of the files that it made. */
export const ensureInternalKeys = (directory: string, files: FileOptions): readonly string[] => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string => join(directory, name);
  const made = internalKeyFiles.filter((name) => !existsSync(pathOf(name)));
  for (const name of internalKeyNames.filter((one) => made.includes(one)))
    writeNew(pathOf(name), isSigningKey(name) ? newPrivateKey() : `signs ${newSecret()}\n`, files);
  publish(
    directory,
    signingKeyNames.map((name) => jwkAt(pathOf(name), name)),
  );
  return made;
};
