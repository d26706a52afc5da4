/** Report of a run with many kills. */
import type { KillKind, Takeover } from './takeovers';

const at = (times: readonly number[], part: number): number => {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
};

const line = (kind: KillKind, takeovers: readonly Takeover[]): string => {
  const [first, all] = [takeovers.map((one) => one.first), takeovers.map((one) => one.all)];
  const percentiles = (times: readonly number[]): string =>
    `p50 ${at(times, 0.5)} p95 ${at(times, 0.95)} worst ${at(times, 1)} ms`;
  return `${kind} ${takeovers.length}: served again ${percentiles(first)}; everybody ${percentiles(all)}`;
};

const kinds: readonly KillKind[] = ['other', 'back', 'both', 'bystander'];

export const report = (takeovers: readonly Takeover[]): string =>
  kinds
    .map((kind) =>
      line(
        kind,
        takeovers.filter((one) => one.kind === kind),
      ),
    )
    .join('\n');
