/** How consent pages name scopes and audiences of the tenant's APIs. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { describeScope } from '../../../domain/identity/scopes';
import type { TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { StreamSource } from '../../kernel/load-stream';
import { loadApiRegistry } from './load-registry';

export interface ApiNames {
  readonly scope: (scope: string) => string;
  readonly audience: (audience: string) => string;
}

export const loadApiNames = async (
  source: StreamSource,
  tenantId: TenantId,
): Promise<Either<EventStoreFault, ApiNames>> => {
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return registry;
  const apis = [...registry.right.apis.values()];
  const descriptions = new Map(
    apis.flatMap(({ scopes }) => scopes.map((scope): [string, string] => [scope.name, scope.description])),
  );
  const names = new Map(apis.map(({ audience, name }) => [audience, `${name} (${audience})`]));
  return right({
    scope: (scope) => descriptions.get(scope) ?? describeScope(scope),
    audience: (audience) => names.get(audience) ?? audience,
  });
};
