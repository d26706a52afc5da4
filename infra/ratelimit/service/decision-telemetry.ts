/**
 * Tells others of decisions: once a second what was decided in it, into a stream of bounded length. No decision waits for it; what
 * cannot be told is dropped and counted. Batches have ids, so that nobody who reads twice counts twice.
 */
import { randomUUID } from 'node:crypto';
import type { Decision } from '../../../packages/ratelimit/src/index';
import { estimateSourceOf } from '../../../packages/ratelimit/src/server';
import type { Log } from '../../ports/log';
import type { Metrics } from '../../ports/metrics';
import type { DecidedRequest, DecisionDeps } from './decision-service';

export interface DecisionBatch {
  readonly batch: string;
  /** Milliseconds since 1970, both. */
  readonly from: number;
  readonly to: number;
  readonly decisions: readonly DecisionSum[];
}

export interface TelemetryOptions {
  /** Rejects when it cannot be kept. */
  readonly append: (batch: DecisionBatch) => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly everyMilliseconds?: number;
}

export interface DecisionTelemetry {
  readonly onDecision: DecisionDeps['onDecision'];
  /** Tells what is left. */
  readonly close: () => Promise<void>;
}

const decisionCount = (sums: readonly DecisionSum[]): number => sums.reduce((all, { decisions }) => all + decisions, 0);

/** One at a time: a store that answers slowly costs batches rather than memory. */
const createSender = ({ append, metrics, log }: TelemetryOptions) => {
  const countDropped = metrics.counter({
    name: 'ratelimit_telemetry_dropped_total',
    help: 'Decisions that nobody was told of.',
  });
  const countSent = metrics.counter({
    name: 'ratelimit_telemetry_told_total',
    help: 'Decisions that others were told of.',
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
      if (!failing) log.warn({ error }, 'decisions cannot be told of: they are dropped');
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

/** Decisions of one span of time, summed up by whose they were and what became of them. */

export interface DecisionSum {
  /** Null: of tenants for which there was no more room. */
  readonly tenant: string | null;
  readonly outcome: Decision['outcome'];
  readonly reason: Decision['reason'] | null;
  readonly source: Decision['source'];
  readonly policy: string;
  /** Names of the rules that were over, and of those that are only watched. */
  readonly over: readonly string[];
  readonly watched: readonly string[];
  readonly decisions: number;
  readonly requests: number;
  readonly bytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Decisions about requests whose output the policy estimated, for they named no maximum. */
  readonly estimated: number;
}

/** What a second may hold, so that no entry of the stream is beyond all bounds. */
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
    /** What there is, and begins anew. */
    takeAll: (): readonly DecisionSum[] => {
      const all = [...sums.values()];
      sums = new Map();
      return all;
    },
  };
};
