/** Reads the client certificate from the TLS connection, or from the `Client-Cert` header of a trusted proxy (RFC 9440). */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import {
  type ClientCertificate,
  certificateInHeader,
  clientCertificateOf,
} from '../../../packages/resource-server/src/verification/index';
import type { Secured } from '../../server/http/server/listener';
import type { Config } from '../config';
import { createCidrList, peerAddressOf } from './client-address';

export type CertificateReader = (request: IncomingMessage) => ClientCertificate | undefined;

/** RFC 9440. A repeated header is ignored: one copy could come from the client. */
const certificateFromHeader = ({ headersDistinct }: IncomingMessage): ClientCertificate | undefined => {
  const [header, ...more] = headersDistinct['client-cert'] ?? [];
  return more.length === 0 ? certificateInHeader(header) : undefined;
};

const certificateFromConnection = (socket: TLSSocket): ClientCertificate | undefined => {
  const { raw } = socket.getPeerCertificate() as { readonly raw?: Buffer };
  return raw === undefined ? undefined : clientCertificateOf(raw, socket.authorized);
};

type TlsConfig = Pick<Config, 'TLS_CERTIFICATE' | 'TLS_KEY' | 'TLS_CLIENT_CERTIFICATES' | 'TLS_CLIENT_AUTHORITIES'>;

/** Undefined: a proxy terminates TLS. */
export const tlsOptionsFrom = (values: TlsConfig): Secured | undefined => {
  const { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_CLIENT_AUTHORITIES: authorities } = values;
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate, key, authorities, requestsClientCertificate: values.TLS_CLIENT_CERTIFICATES === 'asked' };
};

/** `proxies`: the peers whose header counts. All other clients could have written it themselves. */
export const createCertificateReader = (proxies: readonly string[]): CertificateReader => {
  const trusted = createCidrList(proxies);
  const bySocket = new WeakMap<TLSSocket, ClientCertificate | 'none'>();
  const ofConnection = (socket: TLSSocket): ClientCertificate | undefined => {
    const known = bySocket.get(socket) ?? certificateFromConnection(socket) ?? 'none';
    bySocket.set(socket, known);
    return known === 'none' ? undefined : known;
  };
  return (request) => {
    if (trusted.has(peerAddressOf(request))) return certificateFromHeader(request);
    return request.socket instanceof TLSSocket ? ofConnection(request.socket) : undefined;
  };
};
