/** What a document's owner is asked by requests. */
import { type BoundRoute, bind } from '../../../../infra/http/route';
import { commitBatch } from './batch';
import type { OwnerDeps } from './owner';
import { restoreVersion } from './restore';

export const contentRoutes = (deps: OwnerDeps): readonly BoundRoute[] => [
  bind(deps, commitBatch),
  bind(deps, restoreVersion),
];
