/**
 * Sends aggregates of the decisions to a bounded stream, once a second. Decisions never wait for it; aggregates that
 * cannot be sent are dropped and counted. Batch ids let readers skip duplicates.
 */
import { randomUUID } from 'node:crypto';
import type { Decision } from '../../../packages/ratelimit/src/index';
import { estimateSourceOf } from '../../../packages/ratelimit/src/server';
import type { Log } from '../../ports/runtime/log';
import type { Metrics } from '../../ports/runtime/metrics';
import type { DecidedRequest, DecisionDeps } from './decision-service';

export interface DecisionBatch {
  readonly batch: string;
  /** Milliseconds since 1970, both. */
  readonly from: number;
  readonly to: number;
  readonly decisions: readonly DecisionSum[];
}

export interface TelemetryOptions {
  /** Rejects if the batch was not stored. */
  readonly append: (batch: DecisionBatch) => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly everyMilliseconds?: number;
}

export interface DecisionTelemetry {
  readonly onDecision: DecisionDeps['onDecision'];
  /** Sends the remaining aggregates. */
  readonly close: () => Promise<void>;
}

const decisionCount = (sums: readonly DecisionSum[]): number => sums.reduce((all, { decisions }) => all + decisions, 0);

/** One batch at a time: a slow store costs batches, not memory. */
const createSender = ({ append, metrics, log }: TelemetryOptions) => {
  const countDropped = metrics.counter({
    name: 'ratelimit_telemetry_dropped_total',
    help: 'Decisions that telemetry dropped.',
  });
  const countSent = metrics.counter({
    name: 'ratelimit_telemetry_told_total',
    help: 'Decisions that telemetry sent.',
  });
  let sending: Promise<void> | undefined;
  let failing = false;
  const sendBatch = async (batch: DecisionBatch): Promise<void> => {
    try {
      await append(batch);
      countSent({}, decisionCount(batch.decisions));
      failing = false;
    } catch (error) {
      countDropped({}, decisionCount(batch.decisions));
      if (!failing) log.warn({ error }, 'telemetry of decisions cannot be sent and is dropped');
      failing = true;
    }
    sending = undefined;
  };
  return {
    send: (batch: DecisionBatch): void => {
      if (sending === undefined) sending = sendBatch(batch);
      else countDropped({}, decisionCount(batch.decisions));
    },
    idle: async (): Promise<void> => sending,
  };
};

export const startDecisionTelemetry = (options: TelemetryOptions): DecisionTelemetry => {
  const sums = createDecisionAggregates();
  const sending = createSender(options);
  const source = randomUUID();
  let [number, from] = [0, Date.now()];
  const sendAggregates = (): void => {
    const [decisions, to] = [sums.takeAll(), Date.now()];
    if (decisions.length > 0) {
      number += 1;
      sending.send({ batch: `${source}-${number}`, from, to, decisions });
    }
    from = to;
  };
  const timer = setInterval(sendAggregates, options.everyMilliseconds ?? 1_000).unref();
  return {
    onDecision: sums.onDecision,
    close: async () => {
      clearInterval(timer);
      await sending.idle();
      sendAggregates();
      await sending.idle();
    },
  };
};

export interface DecisionSum {
  /** Null for the tenants beyond `maxSums`. */
  readonly tenant: string | null;
  readonly outcome: Decision['outcome'];
  readonly reason: Decision['reason'] | null;
  readonly source: Decision['source'];
  readonly policy: string;
  /** Names of the rules that were over their limit: enforced ones, and dry runs. */
  readonly over: readonly string[];
  readonly watched: readonly string[];
  readonly decisions: number;
  readonly requests: number;
  readonly bytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Decisions whose output tokens the policy estimated, because the request named no maximum. */
  readonly estimated: number;
}

/** Aggregates per second, which bounds the size of a stream entry. */
const maxSums = 1_000;

type SumKind = Omit<DecisionSum, 'decisions' | 'requests' | 'bytes' | 'inputTokens' | 'outputTokens' | 'estimated'>;

const sumKindOf = ({ outcome, reason, source, policyVersion, limits }: Decision, tenant: string | null): SumKind => {
  const over = limits.filter((limit) => limit.over);
  const named = (watched: boolean): readonly string[] =>
    over.filter((limit) => limit.watched === watched).map(({ rule }) => rule);
  const why = { outcome, reason: reason ?? null, source, policy: policyVersion };
  return { tenant, ...why, over: named(false), watched: named(true) };
};

const addDecision = (sum: DecisionSum, { weight = {} }: DecidedRequest['request']): DecisionSum => ({
  ...sum,
  decisions: sum.decisions + 1,
  requests: sum.requests + (weight.requests ?? 1),
  bytes: sum.bytes + (weight.bytes ?? 0),
  inputTokens: sum.inputTokens + (weight.inputTokens ?? 0),
  outputTokens: sum.outputTokens + (weight.outputTokens ?? 0),
  estimated: sum.estimated + (estimateSourceOf(weight) === 'policy' ? 1 : 0),
});

const zeroCounts = { decisions: 0, requests: 0, bytes: 0, inputTokens: 0, outputTokens: 0, estimated: 0 };

export const createDecisionAggregates = () => {
  let sums = new Map<string, DecisionSum>();
  const added = (key: string, kind: SumKind, request: DecidedRequest['request']): void => {
    sums.set(key, addDecision(sums.get(key) ?? { ...kind, ...zeroCounts }, request));
  };
  return {
    onDecision: (decision: Decision, { request }: DecidedRequest): void => {
      const kind = sumKindOf(decision, request.dimensions.tenant ?? null);
      const key = JSON.stringify(kind);
      const fits = sums.size < maxSums || sums.has(key);
      const counted: SumKind = fits ? kind : { ...kind, tenant: null, over: [], watched: [] };
      added(fits ? key : JSON.stringify(counted), counted, request);
    },
    /** Returns the aggregates and resets them. */
    takeAll: (): readonly DecisionSum[] => {
      const all = [...sums.values()];
      sums = new Map();
      return all;
    },
  };
};
