/** WebSocket endpoint of a service: verifies the gateway's signature as for requests, selects the route, and opens the socket if the route admits. */
import type { IncomingMessage } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { WebSocketServer } from 'ws';
import type { Log } from '../../ports/runtime/log';
import type { CallerKeys } from '../http/identity/caller-keys';
import { identityHeader, refuseCaller, verifyCaller } from '../http/identity/identity-header';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/routing/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../http/server/upgrade';
import { streamEnds } from '../http/streaming/stream-end';
import type { TooManyRequests } from '../http/too-many-requests';
import type { TooDeep } from '../http/untrusted-json';
import { malformedHandshake, parseOffer } from './handshake';
import { type ConnectionLimits, defaultConnectionLimits, type Message, openSocket, type Socket } from './socket';

export interface SocketCaller {
  readonly identity: Identity;
  readonly requestId: string;
  /** What follows the path, as the client sent it. */
  readonly query: string;
  /** The variable segments of the route's path, by name. */
  readonly parameters: { readonly [name: string]: string };
}

/** Begins the session once the socket is open and receives the client's messages; or the reason for refusing it. */
export type Admission = ((socket: Socket) => Message) | Problem | TooManyRequests;

interface SocketPath {
  /** `/v1/documents/:documentId/socket`: a segment with a colon is whatever stands there, of letters, digits, `_` and `-`. */
  readonly path: string;
  /** The subprotocol, with its version: `septet.streams.v1`. */
  readonly protocol: string;
}

/** For callers whose access token the gateway verified. */
export interface CallerSocketRoute extends SocketPath {
  readonly authenticatedBy?: 'gateway';
  readonly scopes: readonly string[];
  readonly admit: (caller: SocketCaller) => Admission;
}

/** A request to open a socket, by a client that the gateway did not authenticate. */
export interface SocketHandshake extends Pick<SocketCaller, 'requestId' | 'query' | 'parameters'> {
  /** Names in lower case. `authorization` holds the proof; the headers that only the gateway sets are left out, except `x-forwarded-for`. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** Aborted when the answer is too late for the client: the handshake is then refused. */
  readonly signal: AbortSignal;
}

/** For callers with a proof that the route checks itself. The manifest's destination must have `authenticatedBy: 'service'`, too. */
export interface ProofSocketRoute extends SocketPath {
  readonly authenticatedBy: 'service';
  /** A problem refuses the handshake before the upgrade: 401, 403, 409. The gateway counts a 401 as a failed request of its address. */
  readonly admit: (handshake: SocketHandshake) => Promise<Admission>;
}

export type SocketRoute = CallerSocketRoute | ProofSocketRoute;

export interface EndpointOptions {
  readonly routes: readonly SocketRoute[];
  readonly callerKeys: CallerKeys;
  readonly log: Log;
  /** Aborted when the service drains. */
  readonly signal: AbortSignal;
  readonly pace?: ConnectionLimits;
  /** Of one message, in bytes. */
  readonly largestMessage?: number;
  /** Of a message that nests too deep: the connection ends unless the route refuses such a part by itself. */
  readonly tooDeep?: TooDeep;
}

/** Default for routes without their own limit: messages are short. */
const defaultMaxMessageBytes = 65_536;
const limits = { maxFragments: 64, maxBufferedChunks: 4_096, closeTimeout: 1_000 };

/** Below the time that the gateway gives a handshake. */
const admissionMilliseconds = 8_000;

const stopping = problem('service-unavailable', 'This server stops; try again.');
const lateAdmission = problem('timeout', 'The proof could not be checked in time; try again.');

/** The identity header is the gateway's, and means nothing to a route that checks another proof. */
const passedHeaders = ({ headers }: IncomingMessage): SocketHandshake['headers'] => {
  const { [identityHeader]: _identity, ...passed } = headers;
  // Only `Set-Cookie`, no header of requests, may come as a list.
  return passed as SocketHandshake['headers'];
};

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] as string;

interface KnownRoute {
  readonly route: SocketRoute;
  readonly shape: RegExp;
}

const knownOf = (route: SocketRoute): KnownRoute => {
  const shape = route.path.replaceAll('.', '\\.').replaceAll(/:([A-Za-z]+)/g, '(?<$1>[A-Za-z0-9_-]+)');
  return { route, shape: new RegExp(`^${shape}$`) };
};

interface FoundRoute {
  readonly route: SocketRoute;
  readonly parameters: SocketCaller['parameters'];
}

const routeAt = (known: readonly KnownRoute[], path: string): FoundRoute | undefined => {
  for (const { route, shape } of known) {
    const match = shape.exec(path);
    if (match !== null) return { route, parameters: { ...match.groups } };
  }
  return undefined;
};

const openServer = (known: readonly KnownRoute[], maxPayload: number): WebSocketServer => {
  const options = {
    ...limits,
    maxPayload,
    noServer: true,
    // Answered where messages are counted.
    autoPong: false,
    clientTracking: false,
    perMessageDeflate: false,
    handleProtocols: (_offered: Set<string>, request: IncomingMessage) =>
      routeAt(known, pathOf(request))?.route.protocol ?? (false as const),
  };
  return new WebSocketServer(options);
};

const lacking = ({ scopes }: CallerSocketRoute, identity: Identity): Problem | undefined => {
  const missing = scopes.filter((scope) => !identity.scopes.includes(scope));
  return missing.length === 0 ? undefined : problem('forbidden', `The token lacks the scope ${missing.join(' ')}.`);
};

export const webSocketEndpoint = (options: EndpointOptions): Upgrade => {
  const {
    callerKeys,
    log,
    signal,
    pace = defaultConnectionLimits,
    largestMessage = defaultMaxMessageBytes,
    tooDeep,
  } = options;
  const known = options.routes.map(knownOf);
  const server = openServer(known, largestMessage);
  const open = new Set<Socket>();
  signal.addEventListener(
    'abort',
    () => {
      for (const socket of open) socket.end(streamEnds.draining);
    },
    { once: true },
  );

  const admitHandshake = async (route: ProofSocketRoute, handshake: Omit<SocketHandshake, 'signal'>) => {
    const timeout = AbortSignal.timeout(admissionMilliseconds);
    const late = new Promise<Admission>((resolve) => {
      timeout.addEventListener('abort', () => resolve(lateAdmission), { once: true });
    });
    const admitted = route.admit({ ...handshake, signal: AbortSignal.any([signal, timeout]) });
    return Promise.race([admitted, late]);
  };

  const admission = async ({ request }: Upgrading): Promise<Admission> => {
    const { method = '', url = '' } = request;
    const header = request.headers[identityHeader] as string | undefined;
    const caller = verifyCaller(header, { keys: callerKeys, line: { method, target: url }, now: Date.now() });
    if (isLeft(caller)) return refuseCaller(caller.left);
    const { identity, requestId } = caller.right;
    const path = pathOf(request);
    const found = routeAt(known, path);
    // Without a token a caller learns nothing of what there is.
    if (identity === undefined && found?.route.authenticatedBy !== 'service') return refuseCaller('missing');
    const malformed = malformedHandshake(request);
    if (malformed !== undefined) return malformed;
    if (found === undefined) return problem('not-found', 'There is no WebSocket at this path.');
    const { route, parameters } = found;
    if (!parseOffer(request)?.protocols.includes(route.protocol))
      return problem('invalid-input', `Offer the subprotocol ${route.protocol}.`);
    if (signal.aborted) return stopping;
    const handshake = { requestId, query: url.slice(path.length + 1), parameters };
    if (route.authenticatedBy === 'service')
      return admitHandshake(route, { ...handshake, headers: passedHeaders(request) });
    // Of a route for callers it is there; see above.
    const verified = identity as Identity;
    return lacking(route, verified) ?? route.admit({ ...handshake, identity: verified });
  };

  const openWith = ({ request, socket: connection, head }: Upgrading, begin: Admission): void => {
    if (typeof begin !== 'function' || signal.aborted) {
      refuseUpgrade(connection, typeof begin === 'function' ? stopping : begin);
      return;
    }
    server.handleUpgrade(request, connection, head, (webSocket) => {
      const socket = openSocket({ webSocket, connection, pace, log, tooDeep }, begin);
      open.add(socket);
      webSocket.once('close', () => open.delete(socket));
    });
  };

  return (upgrading) => {
    const failed = (error: unknown): void =>
      log.error({ error, path: pathOf(upgrading.request) }, 'defect in a WebSocket route');
    admission(upgrading)
      .catch((error: unknown): Admission => {
        failed(error);
        return problem('internal-error', 'The WebSocket could not be opened; nothing more is known.');
      })
      .then((begin) => openWith(upgrading, begin))
      .catch((error: unknown) => {
        failed(error);
        upgrading.socket.destroy();
      });
  };
};
