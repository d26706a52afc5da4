/** What is kept of a request until it is known what it came to. */

import type { Mode } from './asked';
import type { Candidate } from './candidates';
import type { LimitRequest, Weight } from './decision';
import { writeContext } from './reservation-context';
import { reservationKey } from './reservation-id';

/** As long as somebody may come back who gives it back. */
const refundGrace = 3_600_000;

export const isRefunded = ({ rule }: Candidate): boolean => rule.rule.orphan === 'refund';

interface Reserving {
  readonly id: string;
  readonly request: LimitRequest;
  readonly milliseconds: number;
  /** Whether quotas are counted elsewhere, too: then whoever settles tells of what changes. */
  readonly isCounted: boolean;
}

/** Without tools that no limit names: they cost nothing, and there may be any number of them. */
const keptWeight = (weight: Weight, candidates: readonly Candidate[]): Weight => {
  if (weight.tools === undefined) return weight;
  const isNamed = (tool: string): boolean => candidates.some(({ model }) => Object.hasOwn(model.byTool, tool));
  return { ...weight, tools: Object.fromEntries(Object.entries(weight.tools).filter(([tool]) => isNamed(tool))) };
};

export const reservationOf = (reserving: Reserving, candidates: readonly Candidate[]): Mode => {
  const { id, request, milliseconds, isCounted } = reserving;
  const limits = candidates.map((candidate) => {
    const { model, quota } = candidate;
    return { model, isRefunded: isRefunded(candidate), ...(quota === undefined || !isCounted ? {} : { quota }) };
  });
  const { weight = {}, dimensions } = request;
  const tenant = dimensions.tenant === undefined ? {} : { tenant: dimensions.tenant };
  const kept = candidates.some(isRefunded) ? milliseconds + refundGrace : milliseconds;
  const context = writeContext({ ...tenant, weight: keptWeight(weight, candidates), limits });
  return { reservation: reservationKey(id) ?? '', milliseconds: kept, context };
};
