/** A repository as other pages name it, and where Git finds it. */
import { getRepository } from '../../../../packages/client/src/operations';
import type { WorkflowRepository } from '../../../../packages/client/src/schemas';
import { useResource } from '../../kernel/use-resource';

export const cloneUrl = ({ clone_path: path }: WorkflowRepository): string => `${location.origin}${path}`;

/** "Runs" while it is not known, and of one that was deleted: its runs stay readable. */
export const RepositoryName = ({ repoId }: { readonly repoId: string }) => (
  <>{useResource(getRepository({ repoId })).content?.name ?? 'Runs'}</>
);
