/** Paths of the rate limiter's pages. */
import { withQuery } from '../kernel/router';

export const refusalsPath = '/console/rate-limits';
export const policiesPath = `${refusalsPath}/policies`;
export const usagePath = `${refusalsPath}/usage`;

export const refusalsOf = (principalId: string): string => withQuery(refusalsPath, { principalId });
export const rulePath = (rule: string): string => withQuery(policiesPath, { rule });
