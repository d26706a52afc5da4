/**
 * Cookies go out whoever made the browser ask: requests that carry one must come from our own pages. Browsers say where from
 * (`Origin`, `Sec-Fetch-Site`); what changes something must also carry a header that no form and no other site can send.
 */
import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../../domain/kernel/rejection';
import { type Problem, problemOf } from '../http/problem';
import { sessionProblems } from './session-problems';

const consoleHeader = 'septet-console';

const refuse = (detail: string): Problem => {
  const rejection: Rejection<'foreign-page'> = { kind: 'rejection', code: 'foreign-page', detail };
  return problemOf(rejection, sessionProblems);
};

const elsewhere = ({ headers }: IncomingMessage, own: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !own.includes(origin)) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};

export const foreignPage = (request: IncomingMessage, own: readonly string[]): Problem | undefined => {
  const { method, headers } = request;
  if (elsewhere(request, own)) return refuse(`Open the console at ${own[0]}: sessions are for pages of that origin.`);
  const upgrades = headers.upgrade !== undefined;
  if ((method === 'GET' || method === 'HEAD') && !upgrades) return undefined;
  if (headers.origin === undefined && (upgrades || headers['sec-fetch-site'] !== 'same-origin'))
    return refuse('The request does not say which page it comes from.');
  return upgrades || headers[consoleHeader] === '1' ? undefined : refuse(`Send the header ${consoleHeader}: 1.`);
};
