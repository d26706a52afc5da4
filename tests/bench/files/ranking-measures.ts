/** Measures of a ranking against judgments that know only relevant and not. */

/** Normalized discounted cumulative gain (Järvelin and Kekäläinen 2002) of the first `depth`. */
export const ndcg = (ranking: readonly string[], relevant: ReadonlySet<string>, depth: number): number => {
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  let [gained, ideal] = [0, 0];
  for (const [rank, id] of ranking.slice(0, depth).entries()) if (relevant.has(id)) gained += gain(rank);
  for (let rank = 0; rank < Math.min(depth, relevant.size); rank += 1) ideal += gain(rank);
  return ideal === 0 ? 0 : gained / ideal;
};

export const recall = (ranking: readonly string[], relevant: ReadonlySet<string>, depth: number): number =>
  relevant.size === 0 ? 0 : ranking.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;
