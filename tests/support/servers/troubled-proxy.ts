/** An HTTP proxy in front of an S3 server: it loses answers, answers 200 with an error, forgets uploads, holds requests back, or breaks them off. */
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request. */
export type Trouble = (
  request: IncomingMessage,
) => 'lost answer' | 'error with 200' | 'no such upload' | 'held back' | 'away' | undefined;

const errorOf = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

/** Passes requests on, Host and signature included. */
export const openTroubledProxy = async (endpoint: string) => {
  const given: { trouble: Trouble /** What is held back goes on once it is over. */; hold: Promise<void> } = {
    trouble: () => undefined,
    hold: Promise.resolve(),
  };
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const trouble = given.trouble(request);
    const refuse = (status: number, code: string): void => {
      request.resume();
      request.once('end', () => response.writeHead(status, { 'content-type': 'application/xml' }).end(errorOf(code)));
    };
    if (trouble === 'away') request.destroy();
    else if (trouble === 'error with 200') refuse(200, 'InternalError');
    else if (trouble === 'no such upload') refuse(404, 'NoSuchUpload');
    else if (trouble === 'held back') void given.hold.then(() => forward(request, response, false));
    else forward(request, response, trouble === 'lost answer');
  };
  const forward = (request: IncomingMessage, response: ServerResponse, isLost: boolean): void => {
    const { method = 'GET', url = '/', headers } = request;
    const onward = requestOf(new URL(url, endpoint), { method, headers }, (answer) => {
      if (isLost) {
        answer.resume();
        answer.once('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    given,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
