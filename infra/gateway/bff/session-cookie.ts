/** The session cookie: only the id, `HttpOnly`, `SameSite=Strict`. */
import type { IncomingMessage } from 'node:http';
import type { Rejection } from '../../../domain/kernel/rejection';
import type { OriginMismatch } from '../../server/http/identity/origin-mismatch';
import { type Problem, problemOf } from '../../server/http/problem';
import { sessionProblems } from './session-api';

export interface SessionCookie {
  /** Undefined: no cookie, or several: one of them could be injected by an attacker. */
  readonly read: (request: Pick<IncomingMessage, 'headers'>) => string | undefined;
  readonly write: (id: string, seconds: number) => string;
  readonly clear: () => string;
}

const idShape = /^[A-Za-z0-9_-]{43}$/;

/** `__Host-` needs https and prevents other hosts from setting the cookie. Ports of one host share cookies, so the name has the port. */
const cookieNameFor = ({ protocol, port }: URL): string =>
  protocol === 'https:' ? '__Host-septet' : `septet-${port || '80'}`;

export const createSessionCookie = (publicUrl: string): SessionCookie => {
  const url = new URL(publicUrl);
  const https = url.protocol === 'https:';
  const name = cookieNameFor(url);
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  const start = `${name}=`;
  return {
    read: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const [found, ...more] = pairs.filter((pair) => pair.startsWith(start));
      const id = found?.slice(start.length);
      return more.length === 0 && id !== undefined && idShape.test(id) ? id : undefined;
    },
    write: (id, seconds) => `${start}${id}; ${attributes}; Max-Age=${Math.floor(seconds)}`,
    clear: () => `${start}; ${attributes}; Max-Age=0`,
  };
};

/**
 * CSRF protection. Requests with a cookie must come from our own pages, by `Origin` and `Sec-Fetch-Site`; unsafe requests must
 * also have a header that neither forms nor other sites can send.
 */

const consoleHeader = 'septet-console';

const crossOriginProblem = (detail: string): Problem => {
  const rejection: Rejection<'foreign-page'> = { kind: 'rejection', code: 'foreign-page', detail };
  return problemOf(rejection, sessionProblems);
};

const isCrossOrigin = ({ headers }: IncomingMessage, own: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !own.includes(origin)) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};

export interface OwnPages {
  /** Where our own pages are served. */
  readonly origins: readonly string[];
  readonly originMismatch?: OriginMismatch | undefined;
}

export const checkSameOrigin = (
  request: IncomingMessage,
  { origins: own, originMismatch }: OwnPages,
): Problem | undefined => {
  const { method, headers } = request;
  originMismatch?.observe(headers);
  if (isCrossOrigin(request, own))
    return crossOriginProblem(`Open the console at ${own[0]}: sessions are for pages of that origin.`);
  const upgrades = headers.upgrade !== undefined;
  if ((method === 'GET' || method === 'HEAD') && !upgrades) return undefined;
  if (headers.origin === undefined && (upgrades || headers['sec-fetch-site'] !== 'same-origin'))
    return crossOriginProblem('The request does not say which page it comes from.');
  return upgrades || headers[consoleHeader] === '1'
    ? undefined
    : crossOriginProblem(`Send the header ${consoleHeader}: 1.`);
};
