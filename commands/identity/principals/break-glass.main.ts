/** `npm run break-glass`: restores an administrator at the machine when none is left. */
import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CredentialId, firstAdmin, type IncidentId } from '../../../domain/identity/ids';
import { incident } from '../../../domain/identity/incident/decider';
import { incidentStream } from '../../../domain/identity/incident/events';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { openRedactingStore } from '../../../infra/adapters/vault/encrypting-store';
import { credentialSignInPath } from '../../../infra/server/http/identity/console-paths';
import { ownOrigins } from '../../../infra/server/http/identity/own-origins';
import type { Problem } from '../../../infra/server/http/problem';
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
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { formatPrincipalClientId } from '../clients/client-id';
import { clientSecretHash, derivePrincipalSecret } from '../clients/client-secret';
import { openKeyedLog } from '../composition/keyed-log';
import { loadPerson, type PersonId } from '../people/load-person';
import { type Enrolment, enrolmentPath, issueEnrolment } from '../sign-in/enrolment/enrolment-link';
import { findNamedOrigin } from '../sign-in/passkeys/webauthn';
import { loadPrincipal } from './load-principal';

const hour = 3_600;

export const program = tool({
  name: 'npm run break-glass --',
  about:
    'Makes a person an active administrator again, whatever happened to them. Everything that was issued to them ends, and it prints a credential for an hour and a sign-in link that works once. It is recorded, and alerts with SEV-1.',
  options: {
    reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
    tenant: { type: 'string', value: 'TENANT', default: 'main', about: 'the tenant of the person' },
    principal: { type: 'string', value: 'ID', default: firstAdmin, about: 'the id of the person' },
  },
  notes: [
    'Septet must be running. DATA_DIR names its data directory (default: .data); its master key must be readable, or MASTER_KEY set.',
  ],
});

interface Recovered extends PersonId {
  readonly commandId: string;
  readonly actor: string;
  readonly at: Instant;
}

/** Undefined: the person has no login, which a link needs. */
const issueLink = async (
  { store, kms }: Pick<Awaited<ReturnType<typeof openKeyedLog>>, 'store' | 'kms'>,
  { commandId, actor, at, ...id }: Recovered,
): Promise<Either<Problem, Enrolment | undefined>> => {
  const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
  const clock = { now: () => at };
  // The link is no personal data, and what is beside it in the stream stays sealed.
  const deps = { store: openRedactingStore(store), kms, clock, random, commandMetrics: noCommandMetrics };
  const loaded = await loadPerson(deps, id);
  if (isLeft(loaded)) return loaded;
  if (loaded.right.person.profile === null) return right(undefined);
  return issueEnrolment(deps, id, { commandId, context: { requestId: commandId, actor } });
};

/** Incidents that made the person compromised are recovered from by this. One that is being contained goes on, and can be closed. */
const recoverIncidents = async ({
  store,
  tenantId,
  principalId,
  commandId,
  actor,
  at,
  incidents,
}: Recovered & { readonly incidents: readonly IncidentId[] } & Pick<
    Awaited<ReturnType<typeof openKeyedLog>>,
    'store'
  >): Promise<void> => {
  const deps = { store, commandMetrics: noCommandMetrics, clock: { now: () => at } };
  const loaded = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(loaded) || loaded.right.kind === 'none') return;
  const { securityEpoch } = loaded.right;
  for (const incidentId of incidents) {
    const stream = incidentStream(tenantId, incidentId);
    await handle(deps, incident, {
      ...{ stream, tenant: tenantId, actor, correlationId: commandId, fingerprint: incidentId },
      commandId: derivedId(commandId, stream),
      command: {
        ...{ type: 'RecoverIncident', principalId, method: 'break-glass', authenticatedAt: at, securityEpoch, at },
      } as const,
    });
  }
};

/** With a host name where there is one: passkeys do not work at IP addresses. */
const originOf = (publicUrl: string | undefined): string => {
  if (publicUrl === undefined) return '';
  const origins = ownOrigins(publicUrl);
  return findNamedOrigin(origins) ?? origins[0] ?? '';
};

const printLink = (enrolment: Enrolment | undefined, publicUrl: string): void => {
  const where = publicUrl === '' ? ' at the address of Septet' : '';
  if (enrolment === undefined)
    printLine(
      `The person has no login. Sign in with the credential${where}, and make a sign-in link on the person's page: ${publicUrl}${credentialSignInPath}`,
    );
  else {
    printLine(`Sign-in link: ${publicUrl}${enrolmentPath(enrolment)}`);
    printLine(
      `Open the link${where} to set up a new passkey or password, as the sign-in policy allows. It works once, until ${enrolment.expiresAt}.`,
    );
  }
};

const main = async (): Promise<void> => {
  const { reason, tenant: tenantId, principal: principalId } = readArguments(program).options;
  if (!TenantId.is(tenantId)) return refuseArguments(program, `${tenantId} is not the id of a tenant.`);
  if (!PrincipalId.is(principalId)) return refuseArguments(program, `${principalId} is not the id of a person.`);
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseArguments(program, fault);
  const { store, kms, publicUrl } = await openKeyedLog();
  const [commandId, credentialId] = [randomUUID(), randomUUID()];
  const secret = await derivePrincipalSecret(kms, { tenantId, principalId }, commandId);
  if (isLeft(secret)) return stop(secret.left.detail, 1);
  const at = new Date().toISOString() as Instant;
  const who = { principalId, credentialId: credentialId as CredentialId, secretHash: clientSecretHash(secret.right) };
  const expiresAt = plusSeconds(at, hour);
  const actor = `break-glass:${userInfo().username}`;
  const before = await loadPrincipal({ store }, { tenantId, principalId });
  const incidents = isLeft(before) || before.right.kind === 'none' ? [] : before.right.incidents;
  const handled = await handle({ store, commandMetrics: noCommandMetrics, clock: { now: () => at } }, principal, {
    stream: principalStream(tenantId, principalId),
    commandId,
    correlationId: commandId,
    tenant: tenantId,
    actor,
    command: { type: 'RecoverAdministrator', ...who, scopes: adminScopes, at, expiresAt, reason },
  });
  if (isLeft(handled)) return stop(handled.left.detail, 1);
  await recoverIncidents({ store, tenantId, principalId, commandId, actor, at, incidents });
  const link = await issueLink({ store, kms }, { tenantId, principalId, commandId, actor, at });
  await store.close();
  printLine(`Credential id: ${credentialId}`);
  printLine(`Client id: ${formatPrincipalClientId({ tenantId, principalId })}`);
  printLine(`Client secret: ${secret.right}`);
  printLine(`The credential is valid until ${expiresAt}, for programs.`);
  if (isLeft(link)) return stop(`No sign-in link: ${link.left.problem.detail}`, 1);
  printLink(link.right, originOf(publicUrl));
};

if (require.main === module) runTool(main);
