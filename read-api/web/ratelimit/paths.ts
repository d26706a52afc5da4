/** Paths of the rate limiter's pages. */
import { withQuery } from '../kernel/router';

export const rateLimitsPath = '/console/rate-limits';
export const refusalsPath = `${rateLimitsPath}/refusals`;
/** Before anyone is known; for operators. */
export const strangersPath = withQuery(refusalsPath, { about: 'strangers' });
export const policiesPath = `${rateLimitsPath}/policies`;
export const usagePath = `${rateLimitsPath}/usage`;

export const rulePath = (rule: string): string => withQuery(policiesPath, { rule });
