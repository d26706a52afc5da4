/** Servers behind a limiter, closed after each test. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type RateLimitMiddlewareOptions,
  rateLimitMiddleware,
} from '../../../../packages/ratelimit/src/http/express-middleware';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import { type Stage, stage } from '../decision/fixture';

const contextOf: RateLimitMiddlewareOptions['contextOf'] = ({ headers }) => {
  const tenant = headers['x-tenant'];
  return typeof tenant === 'string' ? { dimensions: { tenant } } : {};
};

export interface Served extends Stage {
  readonly url: string;
}

type Handler = (request: IncomingMessage) => void | Promise<void>;

export const useServers = () => {
  const servers: Server[] = [];
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** A plain server whose handler receives every admitted request. */
  const plain = async (written: Policy, handler: Handler = () => undefined): Promise<Served> => {
    const staged = stage(written);
    const guard = rateLimitMiddleware({ limiter: staged.limiter, contextOf: contextOf });
    const url = await serve((request, response) => {
      guard(request, response, (error) => {
        if (error !== undefined) return void response.writeHead(500).end();
        void Promise.resolve(handler(request)).then(() => response.end('served'));
      });
    });
    return { ...staged, url };
  };
  const close = (): void => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { serve, plain, close };
};
