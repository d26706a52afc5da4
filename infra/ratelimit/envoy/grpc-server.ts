/** The gRPC server: Envoy's rate limit service, and the health protocol by which Envoy checks its clusters. */
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { BinaryReader, BinaryWriter } from 'google-protobuf';
import type { Log } from '../../ports/runtime/log';
import type { RateLimitRequest, RateLimitResponse } from './messages';
import { decodeRequest, encodeResponse } from './protobuf-codec';

/** Thrown by handlers to end a call with a status. */
export class GrpcError extends Error {
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the name of the checked service; empty for the whole process. */
const readHealthRequest = (bytes: Uint8Array): string => {
  const reader = new BinaryReader(bytes);
  let service = '';
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === 1) service = reader.readString();
    else reader.skipField();
  }
  return service;
};

const serving = 1;

const writeHealthResponse = (servingStatus: number): Buffer => {
  const writer = new BinaryWriter();
  writer.writeEnum(1, servingStatus);
  return Buffer.from(writer.getResultBuffer());
};

/**
 * `grpc.health.v1.Health/Check`: serving while the process answers. Without its store, each rule's `onStoreError`
 * applies.
 */
const createHealthCheck =
  (services: readonly string[]) =>
  async (service: string): Promise<number> => {
    if (services.includes(service)) return serving;
    throw new GrpcError(status.NOT_FOUND, 'There is no such service here.');
  };

/** PEM. */
export interface GrpcTls {
  readonly certificate: string;
  readonly key: string;
  /** If set, clients must present a certificate of one of these authorities. */
  readonly authorities?: string | undefined;
}

export interface GrpcOptions {
  readonly host: string;
  readonly port: number;
  readonly secured?: GrpcTls | undefined;
  readonly answer: (request: RateLimitRequest) => Promise<RateLimitResponse>;
  readonly log: Log;
}

export interface GrpcServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** gRPC's default. */
const maxMessageBytes = 4_194_304;
const graceMilliseconds = 5_000;
const serviceName = 'envoy.service.ratelimit.v3.RateLimitService';

const unaryMethod = <Request, Reply>(
  path: string,
  read: (bytes: Uint8Array) => Request,
  write: (reply: Reply) => Buffer,
) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestDeserialize: read,
  responseDeserialize: (bytes: Buffer) => bytes,
  requestSerialize: (request: Buffer) => request,
  responseSerialize: write,
});

const definition = {
  shouldRateLimit: unaryMethod(`/${serviceName}/ShouldRateLimit`, decodeRequest, encodeResponse),
};
const healthDefinition = {
  check: unaryMethod('/grpc.health.v1.Health/Check', readHealthRequest, writeHealthResponse),
};

type HandleCall<Request, Reply> = (request: Request) => Promise<Reply>;

/** Sends a handler's `GrpcError` to the client; other errors are logged and answered with INTERNAL. */
const createUnaryHandler =
  <Request, Reply>(handle: HandleCall<Request, Reply>, log: Log): handleUnaryCall<Request, Reply> =>
  ({ request }, callback) => {
    handle(request).then(
      (reply) => callback(null, reply),
      (error: unknown) => {
        if (error instanceof GrpcError) return callback({ code: error.code, details: error.message });
        log.error({ error }, 'defect in an answer over gRPC');
        callback({ code: status.INTERNAL, details: 'It could not be decided.' });
      },
    );
  };

const credentialsOf = (secured: GrpcTls | undefined): ServerCredentials => {
  if (secured === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, authorities } = secured;
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  const roots = authorities === undefined ? null : Buffer.from(authorities);
  return ServerCredentials.createSsl(roots, [pair], authorities !== undefined);
};

const addressOf = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

const bind = (server: Server, { host, port, secured }: GrpcOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(addressOf(host, port), credentialsOf(secured), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });

/** Lets calls in flight finish, up to the grace period. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), graceMilliseconds);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });

export const openGrpcServer = async (options: GrpcOptions): Promise<GrpcServer> => {
  const { answer, log } = options;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_concurrent_streams': 1_000,
    // Envoys hold connections open; pings detect dead ones.
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
  });
  const add = (service: object, methods: object): void =>
    server.addService(service as ServiceDefinition, methods as UntypedServiceImplementation);
  add(definition, { shouldRateLimit: createUnaryHandler(answer, log) });
  add(healthDefinition, { check: createUnaryHandler(createHealthCheck(['', serviceName]), log) });
  const port = await bind(server, options);
  return { port, close: () => close(server) };
};
