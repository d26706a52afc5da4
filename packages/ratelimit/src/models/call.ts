/**
 * One request to a model under limits: what it may take is reserved before it goes out, and settled by what comes back. Whoever sends it
 * tells of its answer, its bytes and its end; nothing is changed or held back.
 */
import type { Decision, Limiter, LimitRequest, SettleOutcome, Weight } from '../decision';
import { bytesPerTokenOf, type EstimateOptions } from './estimate';
import { type Answered, type Ending, type Meter, meterFor } from './meter';
import type { ModelRequest } from './request';
import { type SettlingOptions, settling } from './settling';

export interface ModelCallOptions extends EstimateOptions, Pick<SettlingOptions, 'everyTokens' | 'everyMilliseconds'> {
  readonly limiter: Pick<Limiter, 'reserve' | 'settle'>;
}

export interface ModelCall {
  readonly answered: (answer: Answered) => void;
  readonly passed: (bytes: Uint8Array) => void;
  /** The first end counts. */
  readonly ended: (how: Ending) => Promise<SettleOutcome>;
}

export interface BegunCall {
  readonly decision: Decision;
  /** Undefined where it was denied, or nothing of it is to be settled. */
  readonly call: ModelCall | undefined;
}

/**
 * Who leaves before an answer began has had no output of a stream. An answer that is not streamed may have been made in whole by then,
 * and nobody says what it came to: all of it stays charged.
 */
const unanswered = (how: Ending, { streams }: ModelRequest): Weight | 'refund' => {
  if (how !== 'left') return 'refund';
  return streams ? { outputTokens: 0 } : {};
};

const following = (asked: ModelRequest, options: SettlingOptions & EstimateOptions): ModelCall => {
  const settled = settling(options);
  let meter: Meter | undefined;
  return {
    answered: (answer) => {
      meter ??= meterFor(answer, bytesPerTokenOf(asked.model, options));
    },
    passed: (bytes) => {
      meter?.add(bytes);
      const weight = meter?.soFar();
      if (weight !== undefined) settled.soFar(weight);
    },
    ended: (how) => settled.finish(meter === undefined ? unanswered(how, asked) : meter.end(how)),
  };
};

export const beginModelCall = async (
  options: ModelCallOptions,
  asked: ModelRequest,
  request: Omit<LimitRequest, 'weight'>,
): Promise<BegunCall> => {
  const dimensions = asked.model === undefined ? request.dimensions : { ...request.dimensions, model: asked.model };
  const decision = await options.limiter.reserve({ ...request, dimensions, weight: asked.weight });
  const { reservationId } = decision;
  if (decision.outcome === 'deny' || reservationId === undefined) return { decision, call: undefined };
  const { tenant } = dimensions;
  return { decision, call: following(asked, { ...options, reservationId, tenant }) };
};
