/** What of a request tells who sends it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '../../packages/resource-server/src/verification/index';
import type { Authentication } from './authenticate';

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Of several names that we are reached by, `Host` may say which was meant; that of a stranger says nothing. */
const originOf = ({ headers: { host } }: IncomingMessage, { origin, origins }: Authentication): string =>
  origins?.find((one) => one.slice(one.indexOf('//') + 2) === host) ?? origin;

export const credentialsOf = (request: IncomingMessage, using: Authentication): Credentials => ({
  authorization: request.headers.authorization,
  proof: single(request.headers.dpop),
  certificate: using.certificateOf?.(request)?.thumbprint,
  method: request.method ?? '',
  url: `${originOf(request, using)}${request.url ?? ''}`,
});

/** For the proof after this one: a client then need not be told. */
export const giveNonce = (response: ServerResponse, { proofs, now }: Authentication): void => {
  if (response.req.headers.dpop === undefined || proofs?.nonces === undefined) return;
  response.setHeader('DPoP-Nonce', proofs.nonces.current(now()));
};
