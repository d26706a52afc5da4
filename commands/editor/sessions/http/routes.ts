/** HTTP routes that the document's owner answers. */
import { type BoundRoute, bind } from '../../../../infra/server/http/routing/route';
import type { OwnerRoutingDeps } from '../owner-routing';
import { commitBatch } from './commit-operations';
import { issueClientId } from './issue-client-id';
import { listPresence, type PresenceDeps } from './list-presence';
import { restoreVersion } from './restore-version';

export const contentRoutes = (deps: OwnerRoutingDeps & PresenceDeps): readonly BoundRoute[] => [
  bind(deps, commitBatch),
  bind(deps, issueClientId),
  bind(deps, restoreVersion),
  bind(deps, listPresence),
];
