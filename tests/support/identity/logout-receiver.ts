/** An application's back-channel logout endpoint on loopback, as its owner writes it: verifies logout tokens by the keys that are published. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

export type Behaviour = 'accept' | 'fail';

export interface LogoutReceiver {
  readonly uri: string;
  /** Whose tokens it takes. */
  readonly expect: (issuer: string, audience: string) => void;
  /** Of the accepted tokens, in the order of their arrival. */
  readonly accepted: readonly JWTPayload[];
  /** Also of attempts that were not accepted. */
  readonly tokenIds: readonly string[];
  readonly behave: (behaviour: Behaviour) => void;
  /** Resolves with the next attempt that gets this behaviour. */
  readonly next: (behaviour: Behaviour) => Promise<void>;
  readonly listen: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const mostAgeSeconds = 130;

export const startLogoutReceiver = async (port = 0): Promise<LogoutReceiver> => {
  const accepted: JWTPayload[] = [];
  const tokenIds: string[] = [];
  const waiting: { readonly behaviour: Behaviour; readonly resolve: () => void }[] = [];
  let behaviour: Behaviour = 'accept';
  let settings = { issuer: '', audience: '' };
  const happened = (one: Behaviour): void => {
    for (const waiter of waiting.splice(0)) {
      if (waiter.behaviour === one) waiter.resolve();
      else waiting.push(waiter);
    }
  };
  const verify = async (body: string): Promise<JWTPayload> => {
    const token = new URLSearchParams(body).get('logout_token') ?? '';
    const keys = createRemoteJWKSet(new URL(`${settings.issuer}/oauth/jwks`));
    const { payload } = await jwtVerify(token, keys, { ...settings, typ: 'logout+jwt', maxTokenAge: mostAgeSeconds });
    assert.ok(!('nonce' in payload), 'a logout token has no nonce');
    assert.deepEqual(payload.events, { [logoutEvent]: {} });
    assert.ok(payload.exp !== undefined && payload.iat !== undefined && payload.exp - payload.iat <= mostAgeSeconds);
    return payload;
  };
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const payload = await verify(body);
    tokenIds.push(String(payload.jti));
    if (behaviour === 'accept') accepted.push(payload);
    response.writeHead({ accept: 200, fail: 500 }[behaviour]).end();
    happened(behaviour);
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.once('end', () => {
      answer(body, response).catch((error: unknown) => {
        response.writeHead(400).end(String(error));
      });
    });
  });
  const listen = async (on = port): Promise<void> => {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen();
  const { port: own } = server.address() as AddressInfo;
  const shut = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    uri: `http://127.0.0.1:${own}/logout`,
    accepted,
    tokenIds,
    behave: (next) => {
      behaviour = next;
    },
    next: (wanted) => new Promise((resolve) => waiting.push({ behaviour: wanted, resolve })),
    listen: () => listen(own),
    close: shut,
    expect: (issuer: string, audience: string) => {
      settings = { issuer, audience };
    },
  };
};
