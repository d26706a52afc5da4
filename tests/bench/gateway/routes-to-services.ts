/** Three ways to the same services: direct, through a proxy that does nothing, through the gateway. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { openCallerSigner } from '../../../infra/http/identity/caller-signer';
import { signCaller } from '../../../infra/http/identity/identity-header';
import type { Identity } from '../../../infra/http/routing/route';
import type { Services } from '../../contracts/gateway/service-processes';
import { capturedLog } from '../../support/http/http-service';
import type { Admin } from '../../support/identity/admin';
import { startListening } from '../../support/servers/event-store-node';

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Rejects on anything but success. */
export type Door = (asked: Ask) => Promise<void>;

type Headers = Record<string, string>;

const connections = 32;

/** As many connections as callers, kept open, one request on each at a time: the same on every way. */
const doorTo = (url: string, headersOf: (asked: Ask) => Headers) => {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const door: Door = async (asked) => {
    const posting = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const headers = { ...(asked.body === undefined ? {} : posting), ...headersOf(asked) };
    const { statusCode, body } = await pool.request({ ...asked, headers });
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`${asked.path} answered ${statusCode}: ${text}`);
  };
  return { door, close: () => pool.close() };
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

export const openDoors = async (services: Services, admin: Admin, service: 'commands' | 'read-api') => {
  const signer = openCallerSigner({ text: services.secret('gateway-signing-key'), log: capturedLog() });
  const caller = { identity: identityOf(admin.token()), requestId: 'bench' };
  const signed = ({ method, path }: Ask): Headers => ({
    'septet-identity': signCaller(caller, { signer, line: { method, target: path }, now: Date.now() }),
  });
  const behind = `http://127.0.0.1:${services.ports[service]}`;
  const proxy = await startListening(['tests/bench/gateway/bare-proxy.main.ts', behind]);
  const direct = doorTo(behind, signed);
  const bare = doorTo(`http://127.0.0.1:${proxy.port}`, signed);
  const gateway = doorTo(services.url, () => ({ authorization: `Bearer ${admin.token()}` }));
  return {
    doors: { direct: direct.door, bare: bare.door, gateway: gateway.door },
    close: async () => {
      await Promise.all([direct.close(), bare.close(), gateway.close()]);
      proxy.child.kill();
    },
  };
};

export type Doors = Awaited<ReturnType<typeof openDoors>>['doors'];
