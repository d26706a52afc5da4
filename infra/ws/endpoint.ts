/** WebSocket endpoint of a service: verifies the caller as for requests, then selects the route. */
import type { IncomingMessage } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { WebSocketServer } from 'ws';
import type { CallerKeys } from '../http/identity/caller-keys';
import { identityHeader, refuseCaller, verifyCaller } from '../http/identity/identity-header';
import { type Problem, problem } from '../http/problem';
import type { Identity } from '../http/routing/route';
import { refuseUpgrade, type Upgrade, type Upgrading } from '../http/server/upgrade';
import { streamEnds } from '../http/streaming/stream-end';
import type { TooDeep } from '../http/untrusted-json';
import type { Log } from '../ports/runtime/log';
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
export type Admission = ((socket: Socket) => Message) | Problem;

export interface SocketRoute {
  /** `/v1/documents/:documentId/socket`: a segment with a colon is whatever stands there, of letters, digits, `_` and `-`. */
  readonly path: string;
  /** The subprotocol, with its version: `septet.streams.v1`. */
  readonly protocol: string;
  readonly scopes: readonly string[];
  readonly admit: (caller: SocketCaller) => Admission;
}

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

const lacking = ({ scopes }: SocketRoute, identity: Identity): Problem | undefined => {
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

  const admission = ({ request }: Upgrading): Admission => {
    const { method = '', url = '' } = request;
    const header = request.headers[identityHeader] as string | undefined;
    const caller = verifyCaller(header, { keys: callerKeys, line: { method, target: url }, now: Date.now() });
    if (isLeft(caller)) return refuseCaller(caller.left);
    if (caller.right.identity === undefined) return refuseCaller('missing');
    const malformed = malformedHandshake(request);
    if (malformed !== undefined) return malformed;
    const path = pathOf(request);
    const found = routeAt(known, path);
    if (found === undefined) return problem('not-found', 'There is no WebSocket at this path.');
    const { route, parameters } = found;
    if (!parseOffer(request)?.protocols.includes(route.protocol))
      return problem('invalid-input', `Offer the subprotocol ${route.protocol}.`);
    if (signal.aborted) return problem('service-unavailable', 'This server stops; try again.');
    const { identity, requestId } = caller.right;
    return (
      lacking(route, identity) ?? route.admit({ identity, requestId, query: url.slice(path.length + 1), parameters })
    );
  };
  return (upgrading) => {
    const begin = admission(upgrading);
    const { request, socket: connection, head } = upgrading;
    if (typeof begin !== 'function') return refuseUpgrade(connection, begin);
    server.handleUpgrade(request, connection, head, (webSocket) => {
      const socket = openSocket({ webSocket, connection, pace, log, tooDeep }, begin);
      open.add(socket);
      webSocket.once('close', () => open.delete(socket));
    });
  };
};
