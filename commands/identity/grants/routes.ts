/** Grants, and the endpoints about tokens that come of them. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import type { CommandDeps } from '../../kernel/command-spec';
import { type IntrospectDeps, introspectRoute } from './introspect';
import { type LogoutDeps, logoutByFormRoute, logoutRoute } from './logout';
import { revokeFamilyRoute, revokeGrantRoute } from './revoke-routes';
import { type RevokeTokenDeps, revokeTokenRoute } from './revoke-token';
import { type UserinfoDeps, userinfoByPostRoute, userinfoRoute } from './userinfo';

export type GrantRouteDeps = CommandDeps & IntrospectDeps & RevokeTokenDeps & UserinfoDeps & LogoutDeps;

export const grantRoutes = (deps: GrantRouteDeps): readonly BoundRoute[] => [
  bind(deps, revokeGrantRoute),
  bind(deps, revokeFamilyRoute),
  bind(deps, revokeTokenRoute),
  bind(deps, introspectRoute),
  bind(deps, userinfoRoute),
  bind(deps, userinfoByPostRoute),
  bind(deps, logoutRoute),
  bind(deps, logoutByFormRoute),
];
