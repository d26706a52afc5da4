/** A repository's id follows from its tenant and name, so that a name is unique without a look at others, and a clone URL can be read without a view. */
import type { TenantId } from '../../../domain/kernel/ids';
import { RepositoryId } from '../../../domain/workflow/ids';
import { derivedId } from '../../kernel/deterministic-ids';

/** Names that differ only in case are the same. */
export const repositoryIdOf = (tenantId: TenantId, name: string): RepositoryId =>
  derivedId('workflow-repository', tenantId, name.toLowerCase()) as RepositoryId;

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Of a path's segment: a name or an id, with or without `.git`. */
export const repositoryInPath = (tenantId: TenantId, segment: string): RepositoryId => {
  const name = segment.endsWith('.git') ? segment.slice(0, -'.git'.length) : segment;
  return uuidShape.test(name) && RepositoryId.is(name) ? name : repositoryIdOf(tenantId, name);
};
