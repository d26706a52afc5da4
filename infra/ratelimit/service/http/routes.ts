/** The limiter's HTTP routes. */
import { type BoundRoute, bind } from '../../../server/http/routing/route';
import type { DecisionDeps } from '../decision-service';
import { checkRateLimit, checkRateLimits, peekRateLimit, peekRateLimits } from './check-routes';
import { listPolicies, listRefusals, type ReportDeps } from './report-routes';
import { settleRateLimit, settleRateLimits } from './settle-routes';

export const rateLimitRoutes = (deps: DecisionDeps & ReportDeps): readonly BoundRoute[] => [
  bind(deps, checkRateLimit),
  bind(deps, checkRateLimits),
  bind(deps, peekRateLimit),
  bind(deps, peekRateLimits),
  bind(deps, settleRateLimit),
  bind(deps, settleRateLimits),
  bind(deps, listPolicies),
  bind(deps, listRefusals),
];
