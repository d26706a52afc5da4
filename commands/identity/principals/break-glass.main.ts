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
import {
  faultOfReason,
  printLine,
  readArguments,
  refuseArguments,
  runTool,
  stop,
} from '../../../infra/server/runtime/command-line';
import { tool } from '../../../packages/command-line/src/index';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { handle } from '../../kernel/handle';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { openKeyedLog } from '../composition/keyed-log';

const hour = 3_600;

export const program = tool({
  name: 'npm run break-glass --',
  about:
    'Makes a person an active administrator again, whatever happened to them. Everything that was issued to them ends, and the credential that is printed lets them in for an hour. It is recorded, and alerts with SEV-1.',
  options: {
    reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
    tenant: { type: 'string', value: 'TENANT', default: 'main', about: 'the tenant of the person' },
    principal: { type: 'string', value: 'ID', default: firstAdmin, about: 'the id of the person' },
  },
  notes: [
    'Septet must be running. DATA_DIR names its data directory (default: .data); its master key must be readable, or MASTER_KEY set.',
  ],
});

const main = async (): Promise<void> => {
  const { reason, tenant: tenantId, principal: principalId } = readArguments(program).options;
  if (!TenantId.is(tenantId)) return refuseArguments(program, `${tenantId} is not the id of a tenant.`);
  if (!PrincipalId.is(principalId)) return refuseArguments(program, `${principalId} is not the id of a person.`);
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseArguments(program, fault);
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
  printLine(`Credential id: ${credentialId}`);
  printLine(`Client id: ${formatPrincipalClientId({ tenantId, principalId })}`);
  printLine(`Client secret: ${secret.right}`);
  printLine(`The credential is valid until ${expiresAt}. Set up a way to sign in before then.`);
};

if (require.main === module) runTool(main);
