/** The floor of a hop: takes a request and passes it on as it is, with nothing looked at. Prints where it listens. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';
import { hasBody } from '../../../infra/gateway/validate-request';

const pool = new Pool(process.argv[2] as string, { connections: null, pipelining: 1 });

const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { connection: _connection, host: _host, ...headers } = request.headers;
  const {
    statusCode,
    headers: answered,
    body,
  } = await pool.request({
    method: request.method as 'GET',
    path: request.url as string,
    headers,
    ...(hasBody(request) ? { body: request } : {}),
  });
  const { connection: _of, 'keep-alive': _this, ...kept } = answered;
  response.writeHead(statusCode, kept);
  await pipeline(body, response);
};

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
  void pass(request, response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${port}` })}\n`);
});
