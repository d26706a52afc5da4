/** WebSockets through the public door: who asks is checked here, then the connection is passed on whole, signed. */
import { request as ask, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { signCaller } from '../http/identity';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../http/upgrade';
import { foreignOrigin, malformedHandshake, offeredBy } from '../ws/handshake';
import { doorFigures } from './figures';
import { type Signers, signerFor } from './forwarding';
import type { GatewayOptions } from './gateway';
import { upstreamHeaders } from './headers';
import { join } from './join';
import { scopesOf } from './learnt-routes';
import { enterUpgrade } from './rate-limit-door';
import { refuseUpgradeFlood } from './rate-limit-flood';
import { relay } from './relay';
import { requestIdOf } from './request-id';
import { destinationOf } from './routes';
import { type CallerOptions, callerOf } from './socket-caller';
import type { Streams } from './streams';
import type { Upstream } from './upstream';
import { upstreamFor } from './upstreams';
import { longestTarget, malformed } from './well-formed';

export interface UpgradeOptions
  extends CallerOptions,
    Signers,
    Pick<
      GatewayOptions,
      'routes' | 'upstreams' | 'shield' | 'log' | 'metrics' | 'trace' | 'rateLimit' | 'failures' | 'locate'
    > {
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
  readonly to: string;
  readonly requestId: string;
}

/** The subprotocols without the ticket: what was shown here goes no further. */
const headersOf = (options: UpgradeOptions, { request, identity, requestId, to }: Passing) => {
  const { method = '', url = '' } = request;
  const line = { method, target: url };
  const signing = { signer: signerFor(options, to, line), line, now: Date.now() };
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

const answerMilliseconds = 10_000;

const refuse = ({ socket, upstream: { title } }: Passing): void =>
  refuseUpgrade(socket, problem('service-unavailable', `The ${title} is not running, or starting; try again.`));

const pass = (options: UpgradeOptions, passing: Passing, missed: readonly string[] = []): void => {
  const { request, socket, upstream, identity } = passing;
  const url = upstream.next();
  const away = ({ code }: NodeJS.ErrnoException): void => {
    socket.off('close', gone);
    // Nothing was sent there.
    if (code === 'ECONNREFUSED' && !socket.destroyed) passToNext(options, passing, [...missed, url]);
    else refuse(passing);
  };
  const asked = ask(new URL(url), {
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

function passToNext(options: UpgradeOptions, passing: Passing, missed: readonly string[]): void {
  const { upstream } = passing;
  for (const url of missed) upstream.missed(url);
  if (missed.includes(upstream.next())) refuse(passing);
  else pass(options, passing, missed);
}

const admitted = async (options: UpgradeOptions, upgrading: Upgrading): Promise<Either<Problem, Passing>> => {
  const { request } = upgrading;
  const refused = refusal(options, request);
  if (refused !== undefined) return left(refused);
  const destination = destinationOf('GET', request.url ?? '');
  const service = destination && options.upstreams[destination.upstream];
  const upstream = destination && upstreamFor(options.upstreams, destination);
  if (destination === undefined || destination.public || upstream === undefined || service === undefined)
    return left(problem('not-found', 'There is no WebSocket at this path.'));
  if (options.draining.aborted) return left(problem('service-unavailable', 'This server stops; try again.'));
  const requestId = requestIdOf(request);
  // Sockets are no routes of documents: their services ask for their scopes.
  const required = scopesOf(options.routes.match(service, 'GET', request.url ?? ''));
  const identity = await callerOf(options, request, { requestId, required });
  if (isLeft(identity)) return identity;
  return right({ ...upgrading, identity: identity.right, upstream, to: destination.upstream, requestId });
};

export const upgrades = (options: UpgradeOptions): Upgrade => {
  const figures = doorFigures(options.metrics);
  const { decided } = figures;
  const take = async (upgrading: Upgrading): Promise<void> => {
    if (refuseUpgradeFlood({ ...options, figures }, upgrading)) return;
    const found = await admitted(options, upgrading);
    if (isLeft(found)) {
      if (found.left.problem.status < 500) options.failures?.failed(upgrading.request);
      decided('refused', found.left.problem.code);
      return refuseUpgrade(upgrading.socket, found.left);
    }
    if (!(await enterUpgrade(options.rateLimit, upgrading, found.right))) return decided('refused', 'rate-limited');
    decided('forwarded', found.right.to);
    pass(options, found.right);
  };
  return (upgrading) => {
    options.locate?.(upgrading.request);
    take(upgrading).catch((error: unknown) => {
      options.log.error({ error }, 'defect in an upgrade');
      upgrading.socket.destroy();
    });
  };
};
