/**
 * One request to a model under limits: what it may take is reserved before it goes out, and settled by what comes back. Whoever sends it
 * tells of its answer, its bytes and its end; nothing is changed or held back.
 */
import type { Decision, Limiter, LimitRequest, SettleOutcome, Weight } from '../decision/decision';
import { bytesPerTokenOf, type EstimateOptions } from './estimate-tokens';
import type { ModelRequest } from './model-request';
import { createUsageReporter, type UsageReportOptions } from './report-usage';
import { createUsageMeter, type ResponseEnd, type ResponseStart, type UsageMeter } from './usage-meter';

export interface ModelCallOptions
  extends EstimateOptions,
    Pick<UsageReportOptions, 'everyTokens' | 'everyMilliseconds'> {
  readonly limiter: Pick<Limiter, 'reserve' | 'settle'>;
}

export interface ModelCall {
  readonly answered: (answer: ResponseStart) => void;
  readonly received: (bytes: Uint8Array) => void;
  /** The first end counts. */
  readonly ended: (how: ResponseEnd) => Promise<SettleOutcome>;
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
const unansweredUsage = (how: ResponseEnd, { streams }: ModelRequest): Weight | 'refund' => {
  if (how !== 'left') return 'refund';
  return streams ? { outputTokens: 0 } : {};
};

const createModelCall = (modelRequest: ModelRequest, options: UsageReportOptions & EstimateOptions): ModelCall => {
  const reporter = createUsageReporter(options);
  let meter: UsageMeter | undefined;
  return {
    answered: (answer) => {
      meter ??= createUsageMeter(answer, bytesPerTokenOf(modelRequest.model, options));
    },
    received: (bytes) => {
      meter?.add(bytes);
      const weight = meter?.soFar();
      if (weight !== undefined) reporter.soFar(weight);
    },
    ended: (how) => reporter.finish(meter === undefined ? unansweredUsage(how, modelRequest) : meter.end(how)),
  };
};

export const beginModelCall = async (
  options: ModelCallOptions,
  modelRequest: ModelRequest,
  request: Omit<LimitRequest, 'weight'>,
): Promise<BegunCall> => {
  const dimensions =
    modelRequest.model === undefined ? request.dimensions : { ...request.dimensions, model: modelRequest.model };
  const decision = await options.limiter.reserve({ ...request, dimensions, weight: modelRequest.weight });
  const { reservationId } = decision;
  if (decision.outcome === 'deny' || reservationId === undefined) return { decision, call: undefined };
  const { tenant } = dimensions;
  return { decision, call: createModelCall(modelRequest, { ...options, reservationId, tenant }) };
};
