/** How soon the last of ten gateways refuses what was revoked: through the log alone, and with Redis beside it. */
import { stopServers, valkeyForTests } from '../../support/servers/shared-servers';
import { percentile, report } from '../measure';
import { startGateways } from './revocation/gateways';
import { type Kind, measurePropagation } from './revocation/propagation';

const gateways = Number(process.env.GATEWAYS ?? 10);
const trials = Number(process.env.TRIALS ?? 60);
const perSecond = Number(process.env.LOAD ?? 300);

export const parts = ['log', 'redis'] as const;
type Part = (typeof parts)[number];

const bench = async (part: Part): Promise<void> => {
  const stage = await startGateways(gateways, part === 'redis' ? { redis: (await valkeyForTests()).url } : {});
  try {
    // Everything is compiled, and every pool is open, when it counts.
    await measurePropagation(stage, { trials: 3, perSecond });
    const { milliseconds, rate, failed } = await measurePropagation(stage, { trials, perSecond });
    for (const [kind, times] of Object.entries(milliseconds) as [Kind, readonly number[]][])
      for (const [label, share] of [
        ['p50', 0.5],
        ['p99', 0.99],
        ['worst', 1],
      ] as const)
        report({ name: `auth-revoke.${part}.${kind}.${label}`, value: percentile(times, share), unit: 'ms' });
    report({ name: `auth-revoke.${part}.load`, value: rate, unit: 'requests/s', baseline: perSecond });
    report({ name: `auth-revoke.${part}.loadFailed`, value: failed, unit: 'requests' });
  } finally {
    await stage.stop();
  }
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const part of parts) if (chosen.length === 0 || chosen.includes(part)) await bench(part);
  await stopServers();
};
