/** Decisions of policies with 10, 1,000 and 100,000 rules, beside Cedar with the same rules; both have to decide alike. */

import type { PolicyDocument } from '../../domain/identity/policy/document';
import { compilePolicy } from '../../domain/identity/policy/evaluator';
import type { PolicyRequest } from '../../domain/identity/policy/request';
import { percentile, report } from './measure';
import { documentOf, requestsFor } from './policy/documents';
import { rivalModule } from './rival';

interface Cedar {
  readonly openCedar: (document: PolicyDocument) => (request: PolicyRequest) => boolean;
}

const sizes = [10, 1_000, 100_000];
const count = 20_000;
const rounds = 5;
/** Of Cedar at its slowest: enough for a percentile. */
const longestMilliseconds = 20_000;

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
}

/** In turns the whole list, each decision timed by itself. */
const measure = (decide: (request: PolicyRequest) => unknown, requests: readonly PolicyRequest[]): Measured => {
  const costs: number[] = [];
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1)
    for (const request of requests) {
      const before = performance.now();
      decide(request);
      // The first round is for the compilers.
      if (round > 0 || performance.now() - began > longestMilliseconds / 2) costs.push(performance.now() - before);
      if (performance.now() - began > longestMilliseconds) break;
    }
  return { perSecond: (costs.length * 1_000) / costs.reduce((sum, one) => sum + one, 0), p99: percentile(costs, 0.99) };
};

export const run = async (): Promise<void> => {
  const { openCedar } = rivalModule<Cedar>(`${__dirname}/policy/cedar`);
  for (const size of sizes) {
    const document = documentOf(size);
    const requests = requestsFor(size, count);
    const compiling = performance.now();
    const { decide } = compilePolicy(document);
    report({ name: `policy ${size} compile`, value: performance.now() - compiling, unit: 'ms' });
    const cedar = openCedar(document);
    // Cedar takes seconds for each decision by the largest.
    for (const request of requests.slice(0, size > 1_000 ? 3 : 300))
      if (cedar(request) !== (decide(request).effect === 'ALLOW')) throw new Error('Cedar decides otherwise');
    const [own, theirs] = [measure(decide, requests), measure(cedar, requests)];
    report({ name: `policy ${size}`, value: own.perSecond, unit: 'decisions/s', baseline: theirs.perSecond });
    report({ name: `policy ${size} p99`, value: own.p99 * 1_000, unit: 'µs', baseline: theirs.p99 * 1_000 });
  }
};
