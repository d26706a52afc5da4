/** Everything this context answers on the write side. */
import { type BoundRoute, bind } from '../../infra/http/route';
import { type BootstrapDeps, bootstrapRoute } from './bootstrap';
import { issueCredentialRoute, revokeCredentialRoute } from './credential';
import { jwksRoute, metadataRoute } from './keys';
import { reactivateRoute, registerRoute, suspendRoute } from './principal';
import { type TokenDeps, tokenRoute } from './token';

export type IdentityDeps = BootstrapDeps & TokenDeps;

export const identityRoutes = (deps: IdentityDeps): readonly BoundRoute[] => [
  bind(deps, bootstrapRoute),
  bind(deps, registerRoute),
  bind(deps, suspendRoute),
  bind(deps, reactivateRoute),
  bind(deps, issueCredentialRoute),
  bind(deps, revokeCredentialRoute),
  bind(deps, tokenRoute),
  bind(deps, jwksRoute),
  bind(deps, metadataRoute),
];
