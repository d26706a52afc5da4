/** Routes of the rate limiter's write side. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { CommandDeps } from '../kernel/command-route';
import { recordUsageRoute } from './usage';

export const ratelimitRoutes = (deps: CommandDeps): readonly BoundRoute[] => [bind(deps, recordUsageRoute)];
