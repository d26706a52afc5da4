/** Times from giving out to settling, under the names that EventStoreDB gives them. */

export interface Measurement {
  readonly key: string;
  readonly value: number;
}

const shares: readonly (readonly [name: string, share: number])[] = [
  ['Quintile 1', 0],
  ['Quintile 2', 0.2],
  ['Quintile 3', 0.4],
  ['Quintile 4', 0.6],
  ['Quintile 5', 0.8],
  ['90%', 0.9],
  ['95%', 0.95],
  ['99%', 0.99],
  ['99.5%', 0.995],
  ['99.9%', 0.999],
];

export const measurementsOf = (latencies: readonly number[]): readonly Measurement[] => {
  if (latencies.length === 0) return [];
  const sorted = [...latencies].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
  const sum = sorted.reduce((total, latency) => total + latency, 0);
  return [
    { key: 'Mean', value: Math.floor(sum / sorted.length) },
    { key: 'Median', value: at(0.5) },
    { key: 'Fastest', value: at(0) },
    ...shares.map(([key, share]) => ({ key, value: at(share) })),
    { key: 'Highest', value: sorted.at(-1) ?? 0 },
  ];
};
