/**
 * A restored log may have lost revocations that came after its backup: tokens they ended, and epochs they raised, would
 * count again. So nothing that was issued before is accepted any longer.
 */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { platformTenant } from '../../../../domain/identity/ids';
import { globalSecurityStream, tenantSecurity } from '../../../../domain/identity/tenant-security/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { EventMetadata } from '../../../../domain/kernel/metadata';
import { appendToDirectory } from '../../../../packages/eventstore-node/src/directory';
import { openEventStore } from '../../../adapters/eventstore/event-store';
import type { NewEvent } from '../../../ports/event-store';
import { OperatorError } from '../../launch/operator-error';
import type { LogPlace } from '../installation';

const floorAt = (at: Instant): NewEvent => {
  const id = randomUUID();
  const ids = { $correlationId: id, $causationId: id, commandId: id, commandHash: id };
  const metadata: EventMetadata = { ...ids, tenant: platformTenant, actor: 'system:restore', at };
  // Nothing issues tokens while a log is being restored: no clock is ahead of what comes.
  const data = { notBefore: at, reason: 'Restored from a backup: what was revoked since is not known.' };
  return { id, ...tenantSecurity.encode({ type: 'TenantEpochBumped', data }), metadata };
};

const refused = (detail: string): OperatorError =>
  new OperatorError(`The floor under earlier tokens could not be recorded: ${detail}`);

const appendTo = async (url: string, event: NewEvent): Promise<void> => {
  const store = openEventStore({ url });
  try {
    const appended = await store.append(globalSecurityStream, 'any', [event]);
    if (isLeft(appended)) throw refused(appended.left.kind);
  } finally {
    await store.close();
  }
};

/** Without a server, before any process reads the log. */
const writeInto = async (path: string, event: NewEvent): Promise<void> => {
  const outcome = await appendToDirectory(path, globalSecurityStream, [event]);
  if (outcome.kind !== 'appended') throw refused(outcome.reason);
};

export const recordTokenNotBefore = (
  log: LogPlace,
  at: Instant = new Date().toISOString() as Instant,
): Promise<void> => (log.kind === 'server' ? appendTo(log.url, floorAt(at)) : writeInto(log.path, floorAt(at)));
