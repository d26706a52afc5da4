/** The tenant's APIs, as the log has them, and the audiences that its tokens may have. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type ApiRegistry, apiRegistry } from '../../../domain/identity/protected-api/decider';
import { protectedApiStream } from '../../../domain/identity/protected-api/events';
import type { Scope } from '../../../domain/identity/scopes';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';

export const loadApiRegistry = (
  source: StreamSource,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, ApiRegistry>> => loadStream(source, apiRegistry, protectedApiStream(tenantId));

export const apiScopesOf = ({ apis }: ApiRegistry): readonly Scope[] =>
  [...apis.values()].flatMap(({ scopes }) => scopes.map(({ name }) => name));

export interface TokenAudiences extends StreamSource {
  /** Of the installation; the first is the default. */
  readonly audiences: readonly string[];
}

/** Of the installation first, then of the tenant's APIs. */
export const loadAudiences = async (
  source: TokenAudiences,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, readonly string[]>> => {
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return registry;
  return right([...source.audiences, ...[...registry.right.apis.values()].map(({ audience }) => audience)]);
};
