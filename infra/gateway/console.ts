/** What the gateway serves to people: the console's pages, and the sessions of their browsers. */

import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft } from 'fp-ts/Either';
import { accountCookies } from '../http/account-cookies';
import { sendProblem } from '../http/answer';
import type { CallerSigner } from '../http/caller-signer';
import { ownOrigins } from '../http/origins';
import { problem } from '../http/problem';
import type { Kept } from '../ports/kept';
import type { Log } from '../ports/log';
import type { Authentication } from './authenticate';
import type { SessionDoor } from './session-caller';
import { sessionCookie } from './session-cookie';
import { openGrants } from './session-grants';
import { serveSession } from './session-routes';
import { openSessions } from './sessions';
import type { Upstream } from './upstream';
import { type Web, web } from './web';
import type { Bundle } from './web-bundle';
import { loadBundle } from './web-files';

export interface Console {
  readonly browsers: SessionDoor;
  /** Answers whether the request was for the console. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

const noWeb: Web = async () => undefined;

const serveWeb = async (web: Web, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
  const { headers, method } = request;
  const [path = ''] = (request.url ?? '').split('?');
  const accepts = String(headers['accept-encoding'] ?? '');
  const answer = await web({ path, accepts, ifNoneMatch: headers['if-none-match'] });
  if (answer === undefined) return false;
  if (method !== 'GET' && method !== 'HEAD') {
    const refused = problem('method-not-allowed', 'Use GET, HEAD.');
    sendProblem(response, { ...refused, headers: { Allow: 'GET, HEAD' } });
    return true;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(method === 'HEAD' ? undefined : answer.content);
  return true;
};

export interface ConsoleOptions {
  readonly authentication: Authentication;
  readonly kept: Kept;
  readonly upstreams: { readonly commands: Upstream };
  readonly signer: CallerSigner;
  /** Seals what lies in the store of sessions; of the gateways alone. */
  readonly sessionKey: KeyObject;
  readonly publicUrl: string;
  readonly log: Log;
  readonly bundle?: Either<string, Bundle>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export const openConsole = (options: ConsoleOptions): Console => {
  const { authentication, kept, upstreams, signer, sessionKey, publicUrl, log } = options;
  const { bundle = loadBundle(), now = Date.now } = options;
  if (isLeft(bundle)) log.error({ reason: bundle.left }, 'the console has no pages');
  const people = { commands: upstreams.commands, signer, cookies: accountCookies(publicUrl), publicUrl };
  const grants = openGrants(people);
  const sessions = openSessions({ kept, grants, secret: sessionKey, now });
  const cookie = sessionCookie(publicUrl);
  const browsers = { sessions, cookie, origins: ownOrigins(publicUrl) };
  const pages = isLeft(bundle) ? noWeb : web(bundle.right);
  return {
    browsers,
    serve: async (request, response) =>
      (await serveSession({ authentication, browsers, grants, people }, request, response)) ||
      (await serveWeb(pages, request, response)),
  };
};
