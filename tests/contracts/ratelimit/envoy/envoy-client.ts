/** An Envoy's side of its rate limit service: field numbers as its own definitions have them. */
import { type ChannelCredentials, Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { type Fields, fieldsIn, nested, number, type Value } from './protobuf-bytes';

export interface RequestedDescriptor {
  readonly entries: Readonly<Record<string, string>>;
  readonly limit?: readonly [requestsPerUnit: number, unit: number];
  readonly hits?: number;
  readonly isNegative?: boolean;
}

const entryBytes = ([key, value]: readonly [string, string]): Buffer => nested(1, nested(1, key), nested(2, value));

const descriptorBytes = ({ entries, limit, hits, isNegative }: RequestedDescriptor): Buffer =>
  nested(
    2,
    ...Object.entries(entries).map(entryBytes),
    ...(limit === undefined ? [] : [nested(2, number(1, limit[0]), number(2, limit[1]))]),
    ...(hits === undefined ? [] : [nested(3, ...(hits === 0 ? [] : [number(1, hits)]))]),
    ...(isNegative === true ? [number(4, 1)] : []),
  );

export interface EnvoyRequest {
  readonly domain: string;
  readonly descriptors: readonly RequestedDescriptor[];
  readonly hits?: number;
}

export const requestBytes = ({ domain, descriptors, hits }: EnvoyRequest): Buffer =>
  Buffer.concat([
    nested(1, domain),
    ...descriptors.map(descriptorBytes),
    ...(hits === undefined ? [] : [number(3, hits)]),
  ]);

const text = (value: Value | undefined): string => (Buffer.isBuffer(value) ? value.toString('utf8') : '');
const message = (value: Value | undefined): Fields => (Buffer.isBuffer(value) ? fieldsIn(value) : {});
const codes: { readonly [code: number]: string } = { 1: 'OK', 2: 'OVER_LIMIT' };

const statusIn = (value: Value) => {
  const fields = message(value);
  const limit = message(fields[2]?.[0]);
  const period = message(limit[4]?.[0]);
  return {
    code: codes[Number(fields[1]?.[0])],
    limit: fields[2] === undefined ? undefined : [Number(limit[1]?.[0]), Number(limit[2]?.[0] ?? 0)],
    multiplier: Number(period[1]?.[0] ?? 1),
    name: text(limit[3]?.[0]),
    remaining: Number(fields[3]?.[0] ?? 0),
    resetSeconds: Number(message(fields[4]?.[0])[1]?.[0] ?? 0),
  };
};

const headersIn = (values: readonly Value[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(
    values.map((value) => {
      const fields = message(value);
      return [text(fields[1]?.[0]).toLowerCase(), text(fields[2]?.[0])];
    }),
  );

const answerIn = (bytes: Buffer) => {
  const fields = fieldsIn(bytes);
  return {
    code: codes[Number(fields[1]?.[0])],
    statuses: (fields[2] ?? []).map(statusIn),
    headers: headersIn(fields[3]),
    forwarded: headersIn(fields[4]),
    body: text(fields[5]?.[0]),
  };
};

const same = (bytes: Buffer): Buffer => bytes;

export const openEnvoy = (address: string, secured: ChannelCredentials = credentials.createInsecure()) => {
  const client = new Client(address, secured);
  const call = (method: string, bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + 20_000 };
      client.makeUnaryRequest(method, same, same, bytes, options, (error: ServiceError | null, reply?: Buffer) =>
        error === null ? resolve(reply ?? Buffer.alloc(0)) : reject(error),
      );
    });
  const raw = (bytes: Buffer) => call('/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit', bytes);
  return {
    raw,
    shouldRateLimit: async (request: EnvoyRequest) => answerIn(await raw(requestBytes(request))),
    health: async (service: string) => fieldsIn(await call('/grpc.health.v1.Health/Check', nested(1, service))),
    close: () => client.close(),
  };
};
