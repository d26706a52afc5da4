/** `Expect: 100-continue` (RFC 9110 section 10.1.1): a client sends its body only after the request was admitted. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Hands requests with an expectation to the handler like any other. By default Node answers 100 before the handler runs, and 417 without a
 * problem.
 */
export const deferContinue = (server: Server): void => {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
};

/** Whether the client waits for 100 before it sends the body. */
export const isWaitingToSend = (request: IncomingMessage): boolean => waiting.has(request);

/** Called before the body is read. */
export const sendContinue = (request: IncomingMessage): void => {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
};
