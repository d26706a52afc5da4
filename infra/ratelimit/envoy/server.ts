/** The gRPC server: Envoy's rate limit service, and the health protocol that its clusters are checked by. */
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Log } from '../../ports/log';
import { healthOf, readHealthRequest, writeHealthResponse } from './health';
import type { RateLimitRequest, RateLimitResponse } from './messages';
import { readRequest } from './reading';
import { CallRefused } from './refused';
import { writeResponse } from './writing';

/** PEM. */
export interface GrpcSecured {
  readonly certificate: string;
  readonly key: string;
  /** Given: whoever asks shows a certificate of theirs. */
  readonly authorities?: string | undefined;
}

export interface GrpcOptions {
  readonly host: string;
  readonly port: number;
  readonly secured?: GrpcSecured | undefined;
  readonly answer: (request: RateLimitRequest) => Promise<RateLimitResponse>;
  readonly log: Log;
}

export interface GrpcServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** As gRPC servers take them unless they are told otherwise. */
const largestMessage = 4_194_304;
const graceMilliseconds = 5_000;
const serviceName = 'envoy.service.ratelimit.v3.RateLimitService';

const unaryAt = <Request, Reply>(
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
  shouldRateLimit: unaryAt(`/${serviceName}/ShouldRateLimit`, readRequest, writeResponse),
};
const healthDefinition = {
  check: unaryAt('/grpc.health.v1.Health/Check', readHealthRequest, writeHealthResponse),
};

type Handle<Request, Reply> = (request: Request) => Promise<Reply>;

/** What a call is refused with is said to it; a defect is not. */
const unary =
  <Request, Reply>(handle: Handle<Request, Reply>, log: Log): handleUnaryCall<Request, Reply> =>
  ({ request }, callback) => {
    handle(request).then(
      (reply) => callback(null, reply),
      (error: unknown) => {
        if (error instanceof CallRefused) return callback({ code: error.code, details: error.message });
        log.error({ error }, 'defect in an answer over gRPC');
        callback({ code: status.INTERNAL, details: 'It could not be decided.' });
      },
    );
  };

const credentialsOf = (secured: GrpcSecured | undefined): ServerCredentials => {
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

/** What is under way may take some time to end. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), graceMilliseconds);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });

export const openGrpc = async (options: GrpcOptions): Promise<GrpcServer> => {
  const { answer, log } = options;
  const server = new Server({
    'grpc.max_receive_message_length': largestMessage,
    'grpc.max_concurrent_streams': 1_000,
    // Envoys keep their connections; those that only look dead are told from those that are.
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
  });
  const add = (service: object, methods: object): void =>
    server.addService(service as ServiceDefinition, methods as UntypedServiceImplementation);
  add(definition, { shouldRateLimit: unary(answer, log) });
  add(healthDefinition, { check: unary(healthOf(['', serviceName]), log) });
  const port = await bind(server, options);
  return { port, close: () => close(server) };
};
