/** Everything around people: their pages, and what administrators do about them. */
import { type BoundRoute, bind } from '../../../infra/http/route';
import { accountRoutes } from '../account/routes';
import type { PeopleDeps } from '../sign-in/deps';
import { signInRoutes } from '../sign-in/routes';
import { enrolPersonRoute } from './enrolments';
import { removePasskeyRoute, removeTotpRoute } from './lost';
import { registerPersonRoute } from './people';
import { endSessionRoute, endSessionsRoute } from './sessions';
import { signInPolicyRoute } from './sign-in-policy';

export const peopleRoutes = (deps: PeopleDeps): readonly BoundRoute[] => [
  ...signInRoutes(deps),
  ...accountRoutes(deps),
  bind(deps, registerPersonRoute),
  bind(deps, enrolPersonRoute),
  bind(deps, removeTotpRoute),
  bind(deps, removePasskeyRoute),
  bind(deps, signInPolicyRoute),
  bind(deps, endSessionRoute),
  bind(deps, endSessionsRoute),
];
