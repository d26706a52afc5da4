/** Paths of the rate limiter's pages. */
import { withQuery } from '../kernel/router';

export const rateLimitsPath = '/console/rate-limits';
export const refusalsPath = `${rateLimitsPath}/refusals`;
export const policiesPath = `${rateLimitsPath}/policies`;
export const usagePath = `${rateLimitsPath}/usage`;

export const refusalsOf = (principalId: string): string => withQuery(refusalsPath, { principalId });
export const rulePath = (rule: string): string => withQuery(policiesPath, { rule });
