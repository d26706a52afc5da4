/** What the gateway serves to people: the console's pages, and the sessions of their browsers. */

import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft } from 'fp-ts/Either';
import type { ExpiringStore } from '../../ports/identity/expiring-store';
import type { Log } from '../../ports/runtime/log';
import { accountCookies } from '../../server/http/identity/account-cookies';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import { watchOriginMismatch } from '../../server/http/identity/origin-mismatch';
import { ownOrigins } from '../../server/http/identity/own-origins';
import { problem } from '../../server/http/problem';
import { sendProblem } from '../../server/http/routing/send-answer';
import type { Authentication } from '../authentication/authenticate';
import type { Bundle } from '../console-assets/bundle';
import { loadBundle } from '../console-assets/load-bundle';
import { type ConsoleAssets, createConsoleAssets } from '../console-assets/static-server';
import type { Upstream } from '../proxy/upstreams';
import type { BffSessions } from './session-authentication';
import { createSessionCookie } from './session-cookie';
import { serveSession } from './session-endpoint';
import { createBffSessionStore } from './session-store';
import { createTokenClient } from './token-client';

export interface Console {
  readonly browsers: BffSessions;
  /** Answers whether the request was for the console. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

const missingAssets: ConsoleAssets = async () => undefined;

interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasSession: boolean;
}

const serveAssets = async (web: ConsoleAssets, { request, response, hasSession }: Served): Promise<boolean> => {
  const { headers, method } = request;
  const [path = ''] = (request.url ?? '').split('?');
  const accepts = String(headers['accept-encoding'] ?? '');
  const answer = await web({ path, accepts, ifNoneMatch: headers['if-none-match'], hasSession });
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
  readonly sessionStore: ExpiringStore;
  readonly upstreams: { readonly commands: Upstream };
  readonly signer: CallerSigner;
  /** Seals what lies in the store of sessions; of the gateways alone. */
  readonly sessionKey: KeyObject;
  readonly publicUrl: string;
  /** Of a bucket and of edges that clients reach at addresses of their own, with spaces between. */
  readonly contentOrigins: string | undefined;
  readonly log: Log;
  readonly bundle?: Either<string, Bundle>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export const openConsole = (options: ConsoleOptions): Console => {
  const { authentication, sessionStore, upstreams, signer, sessionKey, publicUrl, log } = options;
  const { bundle = loadBundle(), now = Date.now } = options;
  if (isLeft(bundle)) log.error({ reason: bundle.left }, 'the console has no pages');
  const people = { commands: upstreams.commands, signer, cookies: accountCookies(publicUrl), publicUrl };
  const grants = createTokenClient(people);
  const sessions = createBffSessionStore({ sessionStore, grants, secret: sessionKey, now });
  const cookie = createSessionCookie(publicUrl);
  const origins = ownOrigins(publicUrl);
  const browsers = { sessions, cookie, origins, originMismatch: watchOriginMismatch(log, origins) };
  const pages = isLeft(bundle) ? missingAssets : createConsoleAssets(bundle.right, options.contentOrigins);
  return {
    browsers,
    serve: async (request, response) =>
      (await serveSession({ authentication, browsers, grants, people }, request, response)) ||
      (await serveAssets(pages, { request, response, hasSession: cookie.read(request) !== undefined })),
  };
};
