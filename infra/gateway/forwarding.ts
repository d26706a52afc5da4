/** What goes along with a request to the service behind: who sends it, signed, and of its headers what is that service's business. */
import type { IncomingMessage } from 'node:http';
import type { AccountCookies } from '../http/account-cookies';
import type { CallerSigner } from '../http/caller-signer';
import { type RequestLine, signCaller } from '../http/identity';
import type { Identity } from '../http/route';
import { ticketLine } from '../http/ticket';
import type { Tracer } from '../ports/trace';
import type { Authentication } from './authenticate';
import { type Behind, upstreamHeaders } from './headers';
import type { Destination } from './routes';
import type { ShieldOptions } from './shield';

export interface Signers {
  /** Believed by every service, and by gateways. */
  readonly signer: CallerSigner;
  /** Believed by one service, at a tenth of the cost. */
  readonly macSigners: { readonly [service: string]: CallerSigner | undefined };
}

/** A ticket is to convince gateways, too. */
export const signerFor = ({ signer, macSigners }: Signers, upstream: string, line: RequestLine): CallerSigner => {
  const isTicket = line.method === ticketLine.method && line.target === ticketLine.target;
  return isTicket ? signer : (macSigners[upstream] ?? signer);
};

export interface ForwardingOptions extends Signers {
  readonly shield: ShieldOptions;
  readonly authentication?: Pick<Authentication, 'certificateOf'>;
  readonly trace?: Tracer | undefined;
  /** Without them no cookie passes. */
  readonly accountCookies?: AccountCookies;
}

export interface Caller {
  readonly identity: Identity | undefined;
  readonly requestId: string;
  readonly destination: Destination;
}

/** The endpoints of OAuth know clients by their certificates; for all others it would only be large. */
const certificateFor = ({ authentication }: ForwardingOptions, request: IncomingMessage) =>
  request.url?.startsWith('/oauth/') ? authentication?.certificateOf?.(request) : undefined;

export const forwardedHeaders = (options: ForwardingOptions, request: IncomingMessage, caller: Caller) => {
  const { method = '', url = '', headers } = request;
  const { identity, requestId, destination } = caller;
  const line = { method, target: url };
  const signing = { signer: signerFor(options, destination.upstream, line), line, now: Date.now() };
  return upstreamHeaders(request, {
    requestId,
    identityHeader: signCaller({ identity, requestId, certificate: certificateFor(options, request) }, signing),
    protocol: options.shield.https ? 'https' : 'http',
    dropAuthorization: !destination.public || destination.upstream === 'blobs',
    cookie: destination.browser === true ? options.accountCookies?.only(headers.cookie) : undefined,
    traceparent: options.trace?.current()?.traceparent,
  });
};

export const behindOf = ({ upstream, browser }: Destination): Behind => ({
  ownPolicy: browser === true || upstream === 'blobs',
  setsCookies: browser === true,
});
