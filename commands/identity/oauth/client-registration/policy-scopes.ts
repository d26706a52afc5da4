/** Scopes of registered APIs that a tenant's policy gives to clients that register themselves. The policy takes them again, so registrations are without them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientMetadata } from '../../../../domain/identity/client/events';
import { registrationPolicy } from '../../../../domain/identity/registration-policy/decider';
import { registrationPolicyStream } from '../../../../domain/identity/registration-policy/events';
import { personScopes, type Scope } from '../../../../domain/identity/scopes';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../../kernel/load-stream';
import { loadOpenedTargets } from '../../clients/load-client';

export const loadPolicyScopes = async (
  source: StreamSource,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, readonly Scope[]>> => {
  const policy = await loadStream(source, registrationPolicy, registrationPolicyStream(tenantId));
  if (isLeft(policy)) return policy;
  const opened = await loadOpenedTargets(source, tenantId, policy.right);
  return isLeft(opened) ? opened : right(opened.right.scopes);
};

export interface PolicyScopes {
  readonly grantable: readonly string[];
  readonly opened: readonly Scope[];
}

/** A registrant that can give them itself registers them. */
export const withoutPolicyScopes = (metadata: ClientMetadata, { grantable, opened }: PolicyScopes): ClientMetadata => {
  const scopes = metadata.scopes.filter((scope) => grantable.includes(scope) || !opened.includes(scope));
  // A client has a scope of its own.
  return { ...metadata, scopes: scopes.length === 0 ? personScopes.slice(0, 1) : scopes };
};
