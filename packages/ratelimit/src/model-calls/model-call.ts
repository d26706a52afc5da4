/**
 * One rate-limited request to a model: reserves its maximum before it is sent, and settles the usage of the response.
 * The sender reports the start, bytes and end of the response; nothing is changed or delayed.
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
  /** Only the first call counts. */
  readonly ended: (how: ResponseEnd) => Promise<SettleOutcome>;
}

export interface ModelCallStart {
  readonly decision: Decision;
  /** Undefined if the request was denied or needs no settlement. */
  readonly call: ModelCall | undefined;
}

/**
 * A client that leaves before a streamed response starts has had no output. A response that is not streamed may be
 * complete by then without its usage being known: all of it stays charged.
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
): Promise<ModelCallStart> => {
  const dimensions =
    modelRequest.model === undefined ? request.dimensions : { ...request.dimensions, model: modelRequest.model };
  const decision = await options.limiter.reserve({ ...request, dimensions, weight: modelRequest.weight });
  const { reservationId } = decision;
  if (decision.outcome === 'deny' || reservationId === undefined) return { decision, call: undefined };
  const { tenant } = dimensions;
  return { decision, call: createModelCall(modelRequest, { ...options, reservationId, tenant }) };
};
