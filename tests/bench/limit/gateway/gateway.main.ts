/** A gateway process with the requested number of limits: none, or those of its own policy with room for all. */
import { defaultPolicy } from '../../../../infra/gateway/rate-limit/default-policy';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { startGateway } from '../../../support/gateway/gateway';

const [, , behind, url = '', kind] = process.argv;

const roomy = { algorithm: 'token-bucket', limit: 1_000_000, periodMilliseconds: 1_000, burst: 1_000_000 } as const;
const policies: { readonly [kind: string]: Policy } = {
  none: { ...defaultPolicy, defaults: [] },
  own: { ...defaultPolicy, defaults: defaultPolicy.defaults.map((rule) => ({ ...rule, limit: roomy })) },
};

const start = async (): Promise<void> => {
  const ports = { commandsPort: Number(behind), readApiPort: Number(behind) };
  const policy = policies[kind ?? ''] as Policy;
  const gateway = await startGateway({ ...ports, policy, limitStore: openRedisStore({ url }) });
  // No service sends it revocations. Without these heartbeats its state would be stale, and it would refuse every
  // request.
  setInterval(() => gateway.revocations.apply({ kind: 'heartbeat', sequence: null }), 1_000);
  process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${gateway.port}` })}\n`);
};

void start();
