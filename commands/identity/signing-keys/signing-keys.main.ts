/** `npm run keys`: administers signing keys and the master key at the machine, also when no token can be signed. */
import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Either, isLeft } from 'fp-ts/Either';
import { KeyId } from '../../../domain/identity/ids';
import type { SigningKeyCommand } from '../../../domain/identity/signing-keys/decider';
import {
  activeKeyOf,
  type KeyUse,
  keyUseOf,
  keyUses,
  type NewSigningKey,
} from '../../../domain/identity/signing-keys/state';
import type { Instant } from '../../../domain/kernel/codec';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { readDerivationRoot } from '../../../infra/adapters/kms/derivation-root';
import { MasterKeyText } from '../../../infra/adapters/kms/master-key';
import { kmsVariables, openKms, pkcs11Options } from '../../../infra/adapters/kms/open-keystore';
import { provisionToken } from '../../../infra/adapters/kms/pkcs11/pkcs11-keystore';
import { rewrapKeys } from '../../../infra/adapters/kms/rewrap-keys';
import { withConnectionFileToAppend } from '../../../infra/operate/launch/connection-file';
import {
  faultOfReason,
  printLine,
  readCommand,
  refuseCommand,
  runTool,
  stop,
} from '../../../infra/server/runtime/command-line';
import { type ConfigOf, loadConfig, oneOfWords, variables, withDefault } from '../../../infra/server/runtime/config';
import { commandSet } from '../../../packages/command-line/src/index';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { createSigningKeyCache } from './signing-key-cache';
import {
  createNextKey,
  destroyUnrecorded,
  runSigningKeyCommand,
  type SigningKeyDeps,
  toKeyRecord,
} from './signing-key-commands';

export const program = commandSet({
  name: 'npm run keys --',
  about: 'Administers the keys that sign tokens, on the machine itself, also when no token can be signed.',
  commands: {
    status: { about: 'Lists the keys, and which of them are in this keystore.' },
    rotate: { about: 'Publishes the next keys of access tokens and of ID tokens; they sign a few minutes later.' },
    revoke: {
      about: 'Refuses every token that a key signed. If the key is active, another one signs at once.',
      arguments: [{ name: 'kid', about: 'the id of the key' }],
      options: {
        reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
      },
    },
    replace: { about: 'Makes keys that sign at once in place of active keys that are lost.' },
    rewrap: { about: 'Wraps every key under NEW_MASTER_KEY in place of MASTER_KEY. Stop all processes first.' },
    provision: {
      about: 'Gives a PKCS #11 token the secret that keys are derived from.',
      options: {
        new: { type: 'boolean', about: 'makes a new secret in the device; only before anything was derived' },
      },
    },
  },
});

const local = { ...kmsVariables, SIGNING_ALGORITHM: withDefault(oneOfWords('ES256', 'EdDSA'), 'ES256') };
const withLog = { ...local, EVENTSTORE_URL: variables.EVENTSTORE_URL };
const withNext = { ...local, NEW_MASTER_KEY: MasterKeyText };

const orFail = <A>(answer: Either<{ readonly detail: string }, A>): A =>
  isLeft(answer) ? stop(answer.left.detail, 1) : answer.right;

const read = <Props extends typeof local>(props: Props): ConfigOf<Props> => {
  const loaded = loadConfig(props, withConnectionFileToAppend(process.env));
  return isLeft(loaded) ? stop(`Not set or not usable: ${JSON.stringify(loaded.left)}`, 2) : loaded.right;
};

const withKeys = async (work: (deps: SigningKeyDeps) => Promise<void>): Promise<void> => {
  const values = read(withLog);
  const store = openEventStore({ url: values.EVENTSTORE_URL });
  const kms = orFail(openKms(values));
  await work({
    store,
    kms,
    keys: createSigningKeyCache(store),
    algorithm: values.SIGNING_ALGORITHM,
    commandMetrics: noCommandMetrics,
    clock: { now: () => new Date().toISOString() as Instant },
    random: { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') },
  });
  await store.close();
};

const status = async ({ keys, kms }: SigningKeyDeps): Promise<void> => {
  const keystoreKeys = new Set(orFail(await kms.list()).map(({ kid }) => kid));
  const signingKeys = [...orFail(await keys.refresh()).values()];
  for (const { kid, algorithm, status: is, since } of signingKeys)
    printLine(
      `${kid}  ${algorithm}  ${is} since ${since}  ${keystoreKeys.has(kid) ? 'in this keystore' : 'not in this keystore'}`,
    );
  if (signingKeys.length === 0) printLine('There are no keys yet; the first token that is issued creates one.');
};

const decide = (deps: SigningKeyDeps, command: SigningKeyCommand): ReturnType<typeof runSigningKeyCommand> =>
  runSigningKeyCommand(deps, command, `operator:${userInfo().username}`);

const printResult = (done: Awaited<ReturnType<typeof runSigningKeyCommand>>): void => {
  const { events } = orFail(done);
  for (const { type, data } of events) printLine(`${data.kid}  ${type}`);
  if (events.length === 0) printLine('Nothing changed: this is already recorded.');
};

/** One new key of each use. */
const withNew = async (
  deps: SigningKeyDeps,
  uses: readonly KeyUse[],
  commandOf: (keys: readonly NewSigningKey[]) => SigningKeyCommand,
): Promise<void> => {
  const signingKeys = orFail(await deps.keys.refresh());
  const made = [];
  for (const use of uses) made.push(orFail(await createNextKey(deps, signingKeys, use)));
  const done = await decide(deps, commandOf(made.map((key) => toKeyRecord(key, deps.kms))));
  for (const { kid } of made) await destroyUnrecorded(deps, kid);
  printResult(done);
};

const rotate = (deps: SigningKeyDeps): Promise<void> =>
  withNew(deps, keyUses, (keys) => ({ type: 'PublishKeys', keys, at: deps.clock.now() }));

const revoke = (kid: string, reason: string) => async (deps: SigningKeyDeps) => {
  if (!KeyId.is(kid)) return refuseCommand(program, 'revoke', `${kid} is not the id of a key.`);
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseCommand(program, 'revoke', fault);
  const command = { type: 'RevokeKey', kid, reason, at: deps.clock.now() } as const;
  const key = orFail(await deps.keys.refresh()).get(kid);
  if (key?.status !== 'active') return printResult(await decide(deps, { ...command, replacement: null }));
  return withNew(deps, [keyUseOf(key)], ([replacement = null]) => ({ ...command, replacement }));
};

const replace = async (deps: SigningKeyDeps): Promise<void> => {
  const signingKeys = orFail(await deps.keys.refresh());
  const active = keyUses.flatMap((use) => activeKeyOf(signingKeys, use) ?? []);
  if (active.length === 0) return stop('No key is active; the first token that is issued creates one.', 1);
  const present = new Set<string>(orFail(await deps.kms.list()).map(({ kid }) => kid));
  const lost = active.filter(({ kid }) => !present.has(kid));
  if (lost.length === 0) return stop('The active keys are in this keystore: rotate or revoke them.', 1);
  for (const key of lost)
    await withNew(deps, [keyUseOf(key)], ([replacement]) =>
      replacement === undefined
        ? stop('No key was made.', 1)
        : { type: 'ReplaceKey', kid: key.kid, replacement, at: deps.clock.now() },
    );
};

const rewrapAll = async (): Promise<void> => {
  const { KEYS_DIR: directory, MASTER_KEY: masterKey, NEW_MASTER_KEY: next } = read(withNext);
  const files = orFail(rewrapKeys({ directory, masterKey }, next));
  printLine(
    `${files} files were rewrapped. Configure every process with the new master key now, instead of the old one.`,
  );
};

const provision = async (isNew: boolean): Promise<void> => {
  const values = read(local);
  const options = pkcs11Options(values);
  if (values.KMS !== 'pkcs11' || options === undefined)
    return stop('Set KMS=pkcs11, PKCS11_MODULE, PKCS11_TOKEN_LABEL and PKCS11_PIN.', 2);
  const root = readDerivationRoot({ directory: values.KEYS_DIR, masterKey: values.MASTER_KEY });
  const made = orFail(await provisionToken(options, isNew ? undefined : orFail(root)));
  printLine(made ? 'The device has the secret now.' : 'The device already has the secret; nothing changed.');
};

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  switch (wanted.command) {
    case 'status':
      return withKeys(status);
    case 'rotate':
      return withKeys(rotate);
    case 'replace':
      return withKeys(replace);
    case 'revoke':
      return withKeys(revoke(wanted.arguments.kid, wanted.options.reason));
    case 'rewrap':
      return rewrapAll();
    case 'provision':
      return provision(wanted.options.new);
  }
};

if (require.main === module) runTool(main);
