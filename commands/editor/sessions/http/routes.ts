/** HTTP routes that the document's owner answers. */
import { type BoundRoute, bind } from '../../../../infra/server/http/routing/route';
import type { OwnerRoutingDeps } from '../owner-routing';
import { commitBatch } from './commit-operations';
import { issueClientId } from './issue-client-id';
import { listPresence, type PresenceDeps } from './list-presence';
import { restoreVersion } from './restore-version';

export type ContentDeps = OwnerRoutingDeps & PresenceDeps;

export const contentRoutes = (deps: ContentDeps): readonly BoundRoute[] => [
  bind(deps, commitBatch),
  bind(deps, issueClientId),
  bind(deps, restoreVersion),
  bind(deps, listPresence),
];
