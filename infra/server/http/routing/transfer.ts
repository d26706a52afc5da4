/** Calls the handler of a route whose body or answer is bytes: without the deadline of other requests, within an idle time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { liftRequestDeadline } from '../server/request-deadline';
import { type OpenedBytes, openRequestBytes, problemOfFault } from '../streaming/request-bytes';
import type { Answer, BoundRoute, RouteRequest } from './route';

/** Longer than the gateway's, which answers better: this one holds where the gateway itself is gone. */
const idleMilliseconds = 120_000;

/** Ends a transfer whose other side neither sends nor takes a byte. The time of the handler is not limited. */
const watchIdle = (response: ServerResponse, body: OpenedBytes | undefined): void => {
  response.setTimeout(idleMilliseconds, () => {
    if (body?.awaitsClient() === true) body.fail('client-idle');
    else if (response.writableNeedDrain) response.destroy();
  });
};

type Handled = RouteRequest<unknown, unknown, unknown>;

/** The connection cannot be used again: the rest of this body is still to come on it. */
const closeUnlessRead = (request: IncomingMessage, response: ServerResponse): void => {
  if (!request.complete) response.setHeader('Connection', 'close');
};

/** Undefined: the client is gone. */
export const answerTransfer = async (
  route: BoundRoute,
  request: IncomingMessage & { readonly res?: ServerResponse },
  handled: Handled,
): Promise<Answer | undefined> => {
  const response = request.res as ServerResponse;
  liftRequestDeadline(request);
  if (route.bytes === undefined) {
    watchIdle(response, undefined);
    return route.handle(handled);
  }
  const opened = openRequestBytes(request, route.bytes);
  if (isLeft(opened)) {
    closeUnlessRead(request, response);
    return opened.left;
  }
  const { bytes, fault } = opened.right;
  watchIdle(response, opened.right);
  try {
    const answer = await route.handle({ ...handled, body: bytes });
    closeUnlessRead(request, response);
    return answer;
  } catch (error) {
    const why = fault();
    if (why === undefined) throw error;
    closeUnlessRead(request, response);
    return problemOfFault(why, route.bytes);
  }
};
