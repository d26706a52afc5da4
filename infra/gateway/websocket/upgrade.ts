/** Authenticates a WebSocket handshake, applies limits, and tunnels the connection with a signed identity header. */
import { request as ask, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { signCaller } from '../../server/http/identity/identity-header';
import type { OriginMismatch } from '../../server/http/identity/origin-mismatch';
import { type Problem, problem } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../../server/http/server/upgrade';
import { foreignOrigin, malformedHandshake, parseOffer } from '../../server/ws/handshake';
import { createGatewayMetrics } from '../metrics';
import type { GatewayOptions } from '../pipeline';
import { routeAction } from '../policy/policy-request';
import { type IdentitySigners, signerFor, upstreamHeaders } from '../proxy/headers';
import type { Upstream } from '../proxy/upstreams';
import { upstreamFor } from '../proxy/upstreams';
import { enforceUpgradeRateLimit } from '../rate-limit/enforce';
import { rejectThrottledUpgrade } from '../rate-limit/failure-limiter';
import { noteProblem, noteRefusal, verifiedCallerNote } from '../refusals/refusal-notes';
import { declaredMatch } from '../routing/declared-operations';
import { resolveDestination } from '../routing/destinations';
import { requiredScopesOf } from '../routing/route-table';
import { requestIdOf } from '../security-headers';
import type { StreamRegistry } from '../stream-registry';
import { maxTargetLength, validateRequest } from '../validate-request';
import { authenticateUpgrade, type UpgradeAuthenticationOptions } from './authenticate-upgrade';
import { openTunnel, relayRefusal } from './tunnel';

export interface UpgradeOptions
  extends UpgradeAuthenticationOptions,
    IdentitySigners,
    Pick<
      GatewayOptions,
      | 'routes'
      | 'upstreams'
      | 'shield'
      | 'log'
      | 'metrics'
      | 'trace'
      | 'rateLimit'
      | 'failures'
      | 'refusals'
      | 'authEvents'
      | 'checkPolicy'
      | 'resolveClientAddress'
    > {
  readonly streams: StreamRegistry;
  readonly draining: AbortSignal;
  /** Origins whose pages may open WebSockets. */
  readonly origins: readonly string[];
  readonly originMismatch?: OriginMismatch | undefined;
}

const checkOrigin = ({ origins, originMismatch }: UpgradeOptions, request: IncomingMessage): Problem | undefined => {
  const refused = foreignOrigin(request, origins);
  if (refused !== undefined) originMismatch?.observe(request.headers);
  return refused;
};

const checkUpgrade = (options: UpgradeOptions, request: IncomingMessage): Problem | undefined =>
  validateRequest(request, { body: 0, target: maxTargetLength }) ??
  malformedHandshake(request) ??
  checkOrigin(options, request);

interface AuthenticatedUpgrade extends Upgrading {
  /** Undefined: the service authenticates the caller. */
  readonly identity: Identity | undefined;
  readonly limitGroup: string | undefined;
  readonly upstream: Upstream;
  readonly to: string;
  readonly requestId: string;
}

/** Forwards the subprotocols without the ticket. */
const upgradeHeaders = (options: UpgradeOptions, { request, identity, requestId, to }: AuthenticatedUpgrade) => {
  const { method = '', url = '' } = request;
  const line = { method, target: url };
  const signing = { signer: signerFor(options, to, line), line, now: Date.now() };
  const headers = upstreamHeaders(request, {
    requestId,
    identityHeader: signCaller({ identity, requestId }, signing),
    protocol: options.shield.https ? 'https' : 'http',
    // A verified token stays here; another proof is for the service.
    dropAuthorization: identity !== undefined,
    traceparent: options.trace?.current()?.traceparent,
  });
  const { 'sec-websocket-protocol': _offered, 'sec-websocket-extensions': _extensions, ...passed } = headers;
  const protocols = parseOffer(request)?.protocols ?? [];
  const offered = protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') };
  return { ...passed, ...offered, connection: 'Upgrade', upgrade: 'websocket' };
};

const handshakeTimeoutMilliseconds = 10_000;

const refuseUnreachable = ({ socket, upstream: { title } }: AuthenticatedUpgrade): void =>
  refuseUpgrade(socket, problem('service-unavailable', `The ${title} is not running, or starting; try again.`));

const openUpstreamSocket = (
  options: UpgradeOptions,
  upgrade: AuthenticatedUpgrade,
  missed: readonly string[] = [],
): void => {
  const { request, socket, upstream, identity } = upgrade;
  const url = upstream.next();
  const away = ({ code }: NodeJS.ErrnoException): void => {
    socket.off('close', gone);
    // No connection was established, so the handshake can be repeated.
    if (code === 'ECONNREFUSED' && !socket.destroyed) retryOnNextEndpoint(options, upgrade, [...missed, url]);
    else refuseUnreachable(upgrade);
  };
  const handshake = ask(new URL(url), {
    // The raw target, as signed: a URL object would normalise it.
    path: request.url ?? '/',
    method: 'GET',
    headers: upgradeHeaders(options, upgrade),
    agent: false,
    timeout: handshakeTimeoutMilliseconds,
  });
  const gone = (): void => void handshake.destroy();
  socket.once('close', gone);
  handshake.once('timeout', gone);
  // Later errors surface on the two sockets.
  handshake.on('error', () => undefined);
  handshake.once('error', away);
  handshake.once('response', (answer) => {
    // Of a verified caller it is no guess of a proof.
    const { statusCode: status = 502 } = answer;
    if (identity === undefined && status === 401) options.failures?.handshakeFailed(request, 401);
    if (identity !== undefined) noteRefusal(request, verifiedCallerNote(identity));
    options.refusals?.handshakeRefused(request, status);
    void relayRefusal(answer, socket).catch(() => socket.destroy());
  });
  handshake.once('upgrade', (answer, behind: Socket, ahead: Buffer) => {
    socket.off('close', gone);
    handshake.off('error', away);
    behind.setTimeout(0);
    options.failures?.handshakeSucceeded(request);
    const joined = openTunnel({ ...upgrade, answer, behind, ahead });
    const leave = options.streams.add({ transport: 'websocket', identity, end: joined.end });
    joined.closed.addEventListener('abort', leave, { once: true });
    if (joined.closed.aborted) leave();
  });
  handshake.end();
};

function retryOnNextEndpoint(options: UpgradeOptions, upgrade: AuthenticatedUpgrade, missed: readonly string[]): void {
  const { upstream } = upgrade;
  for (const url of missed) upstream.markUnavailable(url);
  if (missed.includes(upstream.next())) refuseUnreachable(upgrade);
  else openUpstreamSocket(options, upgrade, missed);
}

const noSocket = problem('not-found', 'There is no WebSocket at this path.');

const admitUpgrade = async (
  options: UpgradeOptions,
  upgrading: Upgrading,
): Promise<Either<Problem, AuthenticatedUpgrade>> => {
  const { request } = upgrading;
  const refused = checkUpgrade(options, request);
  if (refused !== undefined) return left(refused);
  const destination = resolveDestination('GET', request.url ?? '');
  const service = destination && options.upstreams[destination.upstream];
  const upstream = destination && upstreamFor(options.upstreams, destination);
  const isAnonymous = destination?.authenticatedBy === 'service';
  const isSocket = destination?.webSocket === true;
  if (destination === undefined || upstream === undefined || service === undefined || (isAnonymous && !isSocket))
    return left(noSocket);
  if (options.draining.aborted) return left(problem('service-unavailable', 'This server stops; try again.'));
  const requestId = requestIdOf(request);
  // Without a declared operation, the service checks scopes itself: its document lists no sockets.
  const match = declaredMatch(destination, 'GET') ?? options.routes.match(service, 'GET', request.url ?? '');
  const limitGroup = match.kind === 'route' ? match.route.limitGroup : undefined;
  const admitted = { ...upgrading, limitGroup, upstream, to: destination.upstream, requestId };
  if (isAnonymous) return right({ ...admitted, identity: undefined });
  const identity = await authenticateUpgrade(options, request, { requestId, required: requiredScopesOf(match) });
  const refusedCaller = isLeft(identity)
    ? identity.left
    : await options.checkPolicy?.(request, identity.right, routeAction(match));
  options.authEvents?.decided(request, refusedCaller);
  if (isLeft(identity)) return identity;
  if (refusedCaller !== undefined) return left(refusedCaller);
  return isSocket ? right({ ...admitted, identity: identity.right }) : left(noSocket);
};

export const createUpgradeHandler = (options: UpgradeOptions): Upgrade => {
  const gatewayMetrics = createGatewayMetrics(options.metrics);
  const { decided } = gatewayMetrics;
  const take = async (upgrading: Upgrading): Promise<void> => {
    const { request } = upgrading;
    if (rejectThrottledUpgrade({ ...options, gatewayMetrics }, upgrading))
      return options.refusals?.handshakeRefused(request, 429);
    const found = await admitUpgrade(options, upgrading);
    if (isLeft(found)) {
      const { status } = found.left.problem;
      if (status < 500) options.failures?.handshakeFailed(request, status);
      noteProblem(request, found.left);
      options.refusals?.handshakeRefused(request, status);
      decided('refused', found.left.problem.code);
      return refuseUpgrade(upgrading.socket, found.left);
    }
    if (!(await enforceUpgradeRateLimit(options.rateLimit, upgrading, found.right))) {
      options.refusals?.handshakeRefused(request, 429);
      return decided('refused', 'rate-limited');
    }
    decided('forwarded', found.right.to);
    openUpstreamSocket(options, found.right);
  };
  return (upgrading) => {
    options.resolveClientAddress(upgrading.request);
    take(upgrading).catch((error: unknown) => {
      options.log.error({ error }, 'defect in an upgrade');
      upgrading.socket.destroy();
    });
  };
};
