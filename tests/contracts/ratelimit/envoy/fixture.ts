/** The limiter's process with a door for Envoys, and an Envoy before it. */
import { freePort } from '../../../../infra/operate/launch/free-port';
import { bucket, startLimiterService, tokens } from '../service/fixture';
import { openEnvoy, type RequestedDescriptor } from './envoy-client';

const rules = [
  bucket('users'),
  bucket('addresses', { by: ['ip'] }),
  bucket('regions', { by: ['region'], when: { region: ['full-*'] }, strictness: 'soft', hint: 'smaller' }),
  tokens('tokens', { by: ['user', 'model'] }),
  bucket('turns', {
    by: ['device'],
    limit: { algorithm: 'leaky-bucket', limit: 1, periodMilliseconds: 60_000, longestWaitMilliseconds: 600_000 },
  }),
];

export const entries = (given: Readonly<Record<string, string>>, more: Partial<RequestedDescriptor> = {}) => ({
  entries: given,
  ...more,
});

export const openEnvoyStage = async () => {
  const port = String(await freePort());
  const stage = await startLimiterService({
    rules,
    policy: { blocks: [{ match: { user: ['bad-*'] }, message: 'Not you.' }] },
    env: {
      RATELIMIT_GRPC_PORT: port,
      RATELIMIT_GRPC_OVERRIDES: 'honoured',
      RATELIMIT_GRPC_KEYS: 'x-person=user',
      RATELIMIT_GRPC_DOMAINS: '',
    },
  });
  const envoy = openEnvoy(`127.0.0.1:${port}`);
  return {
    ...stage,
    shouldRateLimit: (descriptors: readonly RequestedDescriptor[], hits?: number) =>
      envoy.shouldRateLimit({ domain: stage.tenant, descriptors, ...(hits === undefined ? {} : { hits }) }),
    close: async () => {
      envoy.close();
      await stage.close();
    },
  };
};

export type EnvoyStage = Awaited<ReturnType<typeof openEnvoyStage>>;
