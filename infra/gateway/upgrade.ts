/** WebSockets through the public door: who asks is checked here, then the connection is passed on whole, signed. */
import { request as ask, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { signCaller } from '../http/identity';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../http/upgrade';
import { foreignOrigin, malformedHandshake, offeredBy } from '../ws/handshake';
import { doorFigures } from './figures';
import { type GatewayOptions, requestIdOf } from './gateway';
import { upstreamHeaders } from './headers';
import { join } from './join';
import { destinationOf, type UpstreamName } from './routes';
import { type CallerOptions, callerOf } from './socket-caller';
import type { Streams } from './streams';
import type { Upstream } from './upstream';
import { longestTarget, malformed } from './well-formed';

export interface UpgradeOptions
  extends CallerOptions,
    Pick<GatewayOptions, 'upstreams' | 'shield' | 'log' | 'metrics' | 'trace'> {
  readonly streams: Streams;
  readonly draining: AbortSignal;
  /** Pages of these may open WebSockets. */
  readonly origins: readonly string[];
}

const refusal = ({ origins }: UpgradeOptions, request: IncomingMessage): Problem | undefined =>
  malformed(request, { body: 0, target: longestTarget }) ??
  malformedHandshake(request) ??
  foreignOrigin(request, origins);

interface Passing extends Upgrading {
  readonly identity: Identity;
  readonly upstream: Upstream;
  readonly to: UpstreamName;
  readonly requestId: string;
}

/** The subprotocols without the ticket: what was shown here goes no further. */
const headersOf = (options: UpgradeOptions, { request, identity, requestId }: Passing) => {
  const { method = '', url = '' } = request;
  const signing = { key: options.internalKey, line: { method, target: url }, now: Date.now() };
  const headers = upstreamHeaders(request, {
    requestId,
    identityHeader: signCaller({ identity, requestId }, signing),
    protocol: options.shield.https ? 'https' : 'http',
    dropAuthorization: true,
    traceparent: options.trace?.current()?.traceparent,
  });
  const { 'sec-websocket-protocol': _offered, 'sec-websocket-extensions': _extensions, ...passed } = headers;
  const protocols = offeredBy(request)?.protocols ?? [];
  const offered = protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') };
  return { ...passed, ...offered, connection: 'Upgrade', upgrade: 'websocket' };
};

const longestRefusal = 65_536;
const answerMilliseconds = 10_000;

/** What stands behind has refused: its answer goes on as it is. */
const relay = async (answer: IncomingMessage, socket: Socket): Promise<void> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestRefusal) return void socket.destroy();
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 502;
  const names = ['content-type', 'retry-after', 'www-authenticate', 'sec-websocket-version', 'x-request-id'];
  const kept = names.flatMap((name) =>
    answer.headers[name] === undefined ? [] : [`${name}: ${answer.headers[name]}\r\n`],
  );
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${kept.join('')}Content-Length: ${size}\r\nConnection: close\r\n\r\n`,
  );
  socket.end(Buffer.concat(chunks));
};

const pass = (options: UpgradeOptions, passing: Passing): void => {
  const { request, socket, upstream, identity } = passing;
  const away = (): void =>
    refuseUpgrade(
      socket,
      problem('service-unavailable', `The ${upstream.title} is not running, or starting; try again.`),
    );
  const asked = ask(new URL(upstream.next()), {
    // As it was signed: a URL would normalise it.
    path: request.url ?? '/',
    method: 'GET',
    headers: headersOf(options, passing),
    agent: false,
    timeout: answerMilliseconds,
  });
  const gone = (): void => void asked.destroy();
  socket.once('close', gone);
  asked.once('timeout', gone);
  // Whatever breaks later is seen on the connections themselves.
  asked.on('error', () => undefined);
  asked.once('error', away);
  asked.once('response', (answer) => void relay(answer, socket).catch(() => socket.destroy()));
  asked.once('upgrade', (answer, behind: Socket, ahead: Buffer) => {
    socket.off('close', gone);
    asked.off('error', away);
    behind.setTimeout(0);
    const joined = join({ ...passing, answer, behind, ahead });
    const leave = options.streams.add({ transport: 'websocket', identity, end: joined.end });
    joined.closed.addEventListener('abort', leave, { once: true });
    if (joined.closed.aborted) leave();
  });
  asked.end();
};

const admitted = async (options: UpgradeOptions, upgrading: Upgrading): Promise<Either<Problem, Passing>> => {
  const { request } = upgrading;
  const refused = refusal(options, request);
  if (refused !== undefined) return left(refused);
  const destination = destinationOf('GET', request.url ?? '');
  const upstream = destination === undefined ? undefined : options.upstreams[destination.upstream];
  if (destination === undefined || destination.public || upstream === undefined)
    return left(problem('not-found', 'There is no WebSocket at this path.'));
  if (options.draining.aborted) return left(problem('service-unavailable', 'This server stops; try again.'));
  const requestId = requestIdOf(request);
  const identity = await callerOf(options, request, requestId);
  if (isLeft(identity)) return identity;
  return right({ ...upgrading, identity: identity.right, upstream, to: destination.upstream, requestId });
};

export const upgrades = (options: UpgradeOptions): Upgrade => {
  const { decided } = doorFigures(options.metrics);
  const take = async (upgrading: Upgrading): Promise<void> => {
    const found = await admitted(options, upgrading);
    if (isLeft(found)) {
      decided('refused', found.left.problem.code);
      return refuseUpgrade(upgrading.socket, found.left);
    }
    decided('forwarded', found.right.to);
    pass(options, found.right);
  };
  return (upgrading) => {
    take(upgrading).catch((error: unknown) => {
      options.log.error({ error }, 'defect in an upgrade');
      upgrading.socket.destroy();
    });
  };
};
