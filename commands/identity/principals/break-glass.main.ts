/** `npm run break-glass`: restores an administrator at the machine when none is left. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import type { CredentialId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { adminScopes } from '../../../domain/identity/scopes';
import { firstAdmin, principalStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { openEventStore } from '../../../infra/eventstore/event-store';
import { kmsVariables, openKms } from '../../../infra/kms/open-keystore';
import { withConnectionFileToAppend } from '../../../infra/launch/connection-file';
import { parseArguments, printLine, runTool, stop } from '../../../infra/runtime/command-line';
import { type ConfigOf, loadConfig, variables } from '../../../infra/runtime/config';
import { handle } from '../../kernel/handle';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { createSigningKeyCache } from '../signing-keys/signing-key-cache';

const hour = 3_600;

const usage = `Usage: npm run break-glass -- --reason <sentence> [--tenant main] [--principal ${firstAdmin}]
       makes a person an active administrator again, whatever happened to them: everything that was issued to them ends, and
       the credential that is printed lets them in for an hour. It is recorded, and alerts with SEV-1.
       Septet has to run; DATA_DIR names its directory (.data), and its master key has to be readable, or MASTER_KEY set.`;

const config = { ...kmsVariables, EVENTSTORE_URL: variables.EVENTSTORE_URL };

const read = (): ConfigOf<typeof config> => {
  const loaded = loadConfig(config, withConnectionFileToAppend(process.env));
  return isLeft(loaded) ? stop(`Not set or not usable: ${JSON.stringify(loaded.left)}`, 2) : loaded.right;
};

/** Requires the installation's master key: another one opens none of the recorded keys. */
const opened = async () => {
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
  return { store, kms: kms.right };
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArguments(
    {
      reason: { type: 'string' },
      tenant: { type: 'string', default: 'main' },
      principal: { type: 'string', default: firstAdmin },
    },
    usage,
  );
  const { reason = '', tenant: tenantId, principal: principalId } = values;
  if (positionals.length > 0 || !TenantId.is(tenantId) || !PrincipalId.is(principalId)) return stop(usage, 2);
  if (reason.trim() === '' || reason.length > 500)
    return stop(`Say why: --reason <sentence>, 500 characters at most.\n${usage}`, 2);
  const { store, kms } = await opened();
  const [commandId, credentialId] = [randomUUID(), randomUUID()];
  const secret = await derivePrincipalSecret(kms, { tenantId, principalId }, commandId);
  if (isLeft(secret)) return stop(secret.left.detail, 1);
  const at = new Date().toISOString() as Instant;
  const who = { principalId, credentialId: credentialId as CredentialId, secretHash: clientSecretHash(secret.right) };
  const expiresAt = plusSeconds(at, hour);
  const handled = await handle({ store, clock: { now: () => at } }, principal, {
    stream: principalStream(tenantId, principalId),
    commandId,
    correlationId: commandId,
    tenant: tenantId,
    actor: `break-glass:${userInfo().username}`,
    command: { type: 'RecoverAdministrator', ...who, scopes: adminScopes, at, expiresAt, reason },
  });
  await store.close();
  if (isLeft(handled)) return stop(handled.left.detail, 1);
  printLine(`Client id: ${formatPrincipalClientId({ tenantId, principalId })}`);
  printLine(`Client secret: ${secret.right}`);
  printLine(`They let in until ${expiresAt}. Set up a way to sign in before.`);
};

runTool(main);
