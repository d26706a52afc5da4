/** `npm run break-glass`: restores an administrator at the machine when none is left. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import { type CredentialId, firstAdmin } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { parseArguments, printLine, runTool, stop } from '../../../infra/server/runtime/command-line';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { handle } from '../../kernel/handle';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { openKeyedLog } from '../composition/keyed-log';

const hour = 3_600;

const usage = `Usage: npm run break-glass -- --reason <sentence> [--tenant main] [--principal ${firstAdmin}]
       makes a person an active administrator again, whatever happened to them: everything that was issued to them ends, and
       the credential that is printed lets them in for an hour. It is recorded, and alerts with SEV-1.
       Septet has to run; DATA_DIR names its directory (.data), and its master key has to be readable, or MASTER_KEY set.`;

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
    return stop(`Name the reason: --reason <sentence>, at most 500 characters.\n${usage}`, 2);
  const { store, kms } = await openKeyedLog();
  const [commandId, credentialId] = [randomUUID(), randomUUID()];
  const secret = await derivePrincipalSecret(kms, { tenantId, principalId }, commandId);
  if (isLeft(secret)) return stop(secret.left.detail, 1);
  const at = new Date().toISOString() as Instant;
  const who = { principalId, credentialId: credentialId as CredentialId, secretHash: clientSecretHash(secret.right) };
  const expiresAt = plusSeconds(at, hour);
  const handled = await handle({ store, commandMetrics: noCommandMetrics, clock: { now: () => at } }, principal, {
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
  printLine(`The credential is valid until ${expiresAt}. Set up a way to sign in before then.`);
};

runTool(main);
