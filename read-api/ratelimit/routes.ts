/** Routes of the rate limiter's query side. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { QueryDeps } from '../kernel/row-queries';
import { listUsage } from './usage';

export const ratelimitRoutes = (reading: QueryDeps): readonly BoundRoute[] => [bind(reading, listUsage)];
