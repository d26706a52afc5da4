/** What the query side serves of rate limits. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { Reading } from '../kernel/query';
import { listUsage } from './usage';

export const ratelimitRoutes = (reading: Reading): readonly BoundRoute[] => [bind(reading, listUsage)];
