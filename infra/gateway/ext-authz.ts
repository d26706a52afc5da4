/**
 * Checks of requests that another proxy has taken, in the form of Envoy's ext_authz over HTTP: 200 with who sends it in
 * headers, or the answer that the client is to have.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { type Access, authorize } from '../../packages/resource-server/src/verification/index';
import type { Problem } from '../http/problem';
import { optional } from '../http/revocable';
import { type Authentication, problemFor } from './authenticate';
import { peerOf } from './client-address';
import { giveNonce } from './credentials';
import { type AskedOptions, askedOf } from './ext-authz-asked';
import { places } from './places';
import type { Limited, RateLimit } from './rate-limit';
import { enter } from './rate-limit-door';

export interface ExtAuthz {
  /** False from everywhere but where such a proxy stands: there is nothing to be found for others. */
  readonly is: (request: IncomingMessage) => boolean;
  /** Undefined when the request may go on, which has been said. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<Problem | undefined>;
}

export interface ExtAuthzOptions extends AskedOptions {
  readonly authentication: Authentication;
  readonly peers: readonly string[];
  readonly rateLimit?: RateLimit | undefined;
}

const escaped = (letter: string): string =>
  [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Visible ASCII as it is; all else percent-encoded, so that a name is never a second header. */
const written = (value: string | number | undefined): string =>
  String(value ?? '').replaceAll(/[^\x21-\x24\x26-\x7e]/gu, escaped);

/** What it is for is the proxy's business: all that is asked about counts as one kind. */
const enteringOf = ({ claims }: Access): Limited => ({
  identity: { tenantId: claims.tenant_id, principalId: claims.sub, ...optional('clientId', claims.client_id) },
  route: 'checked',
});

/** All of them, always: what is empty overwrites what a client made up. */
const identityHeadersOf = ({ claims }: Access): Readonly<Record<string, string>> => ({
  'X-Septet-Principal': written(claims.sub),
  'X-Septet-Principal-Type': written(claims.principal_type),
  'X-Septet-Tenant': written(claims.tenant_id),
  'X-Septet-Scopes': claims.scopes.map(written).join(' '),
  'X-Septet-Token': written(claims.jti),
  'X-Septet-Expires': written(claims.exp),
  'X-Septet-Client': written(claims.client_id),
  'X-Septet-Session': written(claims.sid),
  'X-Septet-On-Behalf-Of': written(claims.on_behalf_of),
  'X-Septet-Task': written(claims.task_id),
});

const isBehind = (prefix: string, url = ''): boolean => url === prefix || url.startsWith(`${prefix}/`);

export const extAuthz = (options: ExtAuthzOptions): ExtAuthz => {
  const { authentication, peers, prefix } = options;
  const asking = places(peers);
  return {
    is: (request) => isBehind(prefix, request.url) && asking.has(peerOf(request)),
    answer: async (request, response) => {
      const asked = askedOf(request, options);
      if (isLeft(asked)) return asked.left;
      const access = await authorize(authentication, asked.right);
      if (isLeft(access)) return problemFor(access.left);
      giveNonce(response, authentication);
      if (!(await enter(options.rateLimit, response, enteringOf(access.right)))) return undefined;
      response.writeHead(200, { 'Content-Length': 0, 'Cache-Control': 'no-store', ...identityHeadersOf(access.right) });
      response.end();
      return undefined;
    },
  };
};
