/** Three ways to the same services: direct, through a proxy that does nothing, through the gateway. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { openCallerSigner } from '../../../infra/server/http/identity/caller-signer';
import { signCaller } from '../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { Services } from '../../contracts/gateway/service-processes';
import { capturedLog } from '../../support/http/http-service';
import type { Admin } from '../../support/identity/admin';
import { startListening } from '../../support/servers/event-store-node';

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Rejects on anything but success. */
export type SendRequest = (request: BenchRequest) => Promise<void>;

type Headers = Record<string, string>;

const connections = 32;

/** As many connections as callers, kept open, one request on each at a time: the same on every way. */
const senderTo = (url: string, headersOf: (request: BenchRequest) => Headers) => {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const send: SendRequest = async (request) => {
    const posting = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const headers = { ...(request.body === undefined ? {} : posting), ...headersOf(request) };
    const { statusCode, body } = await pool.request({ ...request, headers });
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`${request.path} answered ${statusCode}: ${text}`);
  };
  return { send, close: () => pool.close() };
};

const identityOf = (token: string): Identity => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Headers;
  return {
    tenantId: claims.tenant_id as string,
    principalId: claims.sub as string,
    principalType: claims.principal_type as string,
    scopes: claims.scopes as unknown as readonly string[],
    tokenId: claims.jti as string,
  };
};

export const openSenders = async (services: Services, admin: Admin, service: 'commands' | 'read-api') => {
  const signer = openCallerSigner({ text: services.secret('gateway-signing-key'), log: capturedLog() });
  const caller = { identity: identityOf(admin.token()), requestId: 'bench' };
  const signed = ({ method, path }: BenchRequest): Headers => ({
    'septet-identity': signCaller(caller, { signer, line: { method, target: path }, now: Date.now() }),
  });
  const behind = `http://127.0.0.1:${services.ports[service]}`;
  const proxy = await startListening(['tests/bench/gateway/bare-proxy.main.ts', behind]);
  const direct = senderTo(behind, signed);
  const bare = senderTo(`http://127.0.0.1:${proxy.port}`, signed);
  const gateway = senderTo(services.url, () => ({ authorization: `Bearer ${admin.token()}` }));
  return {
    senders: { direct: direct.send, bare: bare.send, gateway: gateway.send },
    close: async () => {
      await Promise.all([direct.close(), bare.close(), gateway.close()]);
      proxy.child.kill();
    },
  };
};

export type Senders = Awaited<ReturnType<typeof openSenders>>['senders'];
