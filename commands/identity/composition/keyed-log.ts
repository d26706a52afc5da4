/** The log and the keys, for tools at the machine that record what an administrator otherwise would. */
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { kmsVariables, openKms } from '../../../infra/adapters/kms/open-keystore';
import { withConnectionFileToAppend } from '../../../infra/operate/launch/connection-file';
import { stop } from '../../../infra/server/runtime/command-line';
import { type ConfigOf, loadConfig, optional, variables } from '../../../infra/server/runtime/config';
import { createSigningKeyCache } from '../signing-keys/signing-key-cache';

const config = {
  ...kmsVariables,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  PUBLIC_URL: optional(variables.PUBLIC_URL),
};

const read = (): ConfigOf<typeof config> => {
  const loaded = loadConfig(config, withConnectionFileToAppend(process.env));
  return isLeft(loaded) ? stop(`Not set or not usable: ${JSON.stringify(loaded.left)}`, 2) : loaded.right;
};

/** `publicUrl`: undefined beside a system that no launcher started. Requires the installation's master key: another one opens none of the recorded keys. */
export const openKeyedLog = async () => {
  const values = read();
  const store = openEventStore({ url: values.EVENTSTORE_URL });
  const kms = openKms(values);
  if (isLeft(kms)) return stop(kms.left.detail, 1);
  const [known, keystoreKeys] = [await createSigningKeyCache(store).refresh(), await kms.right.list()];
  if (isLeft(known)) return stop(known.left.detail, 1);
  if (isLeft(keystoreKeys)) return stop(keystoreKeys.left.detail, 1);
  const recorded: ReadonlySet<string> = new Set(known.right.keys());
  if (!keystoreKeys.right.some(({ kid }) => recorded.has(kid)))
    return stop('The signing keys of this installation do not open: MASTER_KEY or KEYS_DIR is of another one.', 1);
  return { store, kms: kms.right, publicUrl: values.PUBLIC_URL };
};
