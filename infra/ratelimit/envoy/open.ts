/** The door for Envoys, as configuration asks for it. */
import type { Log } from '../../ports/log';
import type { Metrics } from '../../ports/metrics';
import type { RateLimiting } from '../service/deciding';
import type { Limiters } from '../service/limiters';
import { isUsed, keysWith } from './descriptors';
import { openOverrides } from './overrides';
import { type GrpcSecured, type GrpcServer, openGrpc } from './server';
import { shouldRateLimit } from './should-rate-limit';

export interface EnvoyOptions {
  readonly host: string;
  readonly port: number;
  readonly secured?: GrpcSecured | undefined;
  /** As configuration writes them. */
  readonly keys: readonly string[];
  readonly domains: readonly string[];
  readonly honoursOverrides: boolean;
  readonly limiters: Limiters;
  readonly decided: RateLimiting['decided'];
  readonly metrics: Metrics;
  readonly log: Log;
}

export const openEnvoyDoor = async (options: EnvoyOptions): Promise<GrpcServer> => {
  const { limiters, decided, honoursOverrides, metrics } = options;
  const overrides = openOverrides(limiters.limiterOf);
  const answer = shouldRateLimit({
    limiterFor: (group) => {
      const own = honoursOverrides ? overrides.limiterFor(group) : undefined;
      return own ?? (isUsed(group) && !group.isNegative ? limiters.noted() : limiters.described());
    },
    decided,
    keys: keysWith(options.keys),
    domains: new Set(options.domains),
    honoursOverrides,
    hasPlan: limiters.hasPlan,
    metrics,
  });
  const server = await openGrpc({ ...options, answer });
  return {
    port: server.port,
    close: async () => {
      await server.close();
      await overrides.close();
    },
  };
};
