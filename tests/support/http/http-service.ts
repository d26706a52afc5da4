/** A service on loopback with given routes, and a client that signs as the gateway does. */
import { connect } from 'node:net';
import type { Log } from '../../../infra/ports/runtime/log';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import { httpApp } from '../../../infra/server/http/routing/app';
import type { BoundRoute, Identity } from '../../../infra/server/http/routing/route';
import { type ListenOptions, listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { callerKeys, signer } from './internal-keys';

export const sampleIdentity: Identity = {
  tenantId: 'acme',
  principalId: 'p-1',
  principalType: 'HUMAN',
  scopes: ['things:read', 'things:write'],
  tokenId: 'jti-1',
};

export interface Logged {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** A log that stores its lines. */
export const capturedLog = (): Log & { readonly lines: Logged[] } => {
  const lines: Logged[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), audit: at('audit') };
};

export interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly identity?: Identity | 'anonymous';
  readonly signal?: AbortSignal;
  /** Redirects are answers too. */
  readonly redirect?: 'manual';
}

export const signedHeader = (method: string, target: string, identity: Identity | undefined = sampleIdentity): string =>
  signCaller({ identity, requestId: 'request-1' }, { signer, line: { method, target }, now: Date.now() });

export const startHttpService = async (routes: readonly BoundRoute[], limits: Partial<ListenOptions> = {}) => {
  const log = capturedLog();
  const draining = new AbortController();
  const app = httpApp({
    name: 'test',
    routes,
    callerKeys,
    log,
    metrics: openMetrics('test'),
    health: async () => ({ ready: false, parts: { store: { ok: false, detail: 'It is off.' } } }),
    signal: draining.signal,
    heartbeatMilliseconds: 20,
  });
  const listener = await listen(app, { host: '127.0.0.1', port: 0, ...limits });
  const url = `http://127.0.0.1:${listener.port}`;
  const call = (
    target: string,
    { method = 'GET', headers = {}, body, identity = sampleIdentity, signal, redirect }: Call = {},
  ) =>
    fetch(`${url}${target}`, {
      method,
      headers: {
        [identityHeader]: signCaller(
          { identity: identity === 'anonymous' ? undefined : identity, requestId: 'request-1' },
          { signer, line: { method, target }, now: Date.now() },
        ),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(redirect === undefined ? {} : { redirect }),
    });
  return { url, port: listener.port, log, call, drain: () => draining.abort(), close: listener.close };
};

/** Bytes as they are, over a bare connection; answers all that came back once the other side has ended. */
export const sendRawRequest = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
