/** Routes of the rate limiter's query side. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { Reading } from '../kernel/query';
import { listUsage } from './usage';

export const ratelimitRoutes = (reading: Reading): readonly BoundRoute[] => [bind(reading, listUsage)];
