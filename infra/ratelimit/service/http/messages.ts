/**
 * Codecs of the limiter's HTTP messages. All of them are bounded; rule names appear only for callers with the right to read them.
 */
import * as t from 'io-ts';
import { constrained, integer, listOf, mapOf, oneOf, record, text } from '../../../../domain/kernel/codec';

const value = text('DimensionValue', { content: 'any', maxLength: 1_024, examples: ['u-1024'] });

const LimitDimensions = record(
  'LimitDimensions',
  {},
  {
    tenant: text('OwnTenant', {
      examples: ['main'],
      maxLength: 64,
      description: "The caller's tenant; other values are refused.",
    }),
    user: value,
    key: value,
    ip: value,
    device: value,
    route: value,
    method: value,
    region: value,
    model: value,
    organisation: value,
    project: value,
  },
);

/** Far below 2^52, the largest capacity of a limit. */
const amount = integer(0, 1_000_000_000_000);

/** Of one request: far above what a model is given. */
const maxTools = 1_000;

const LimitWeight = record(
  'LimitWeight',
  {},
  {
    requests: amount,
    bytes: amount,
    inputTokens: amount,
    cachedInputTokens: amount,
    outputTokens: amount,
    answers: integer(1, 1_000_000),
    // Not `t.record`, which drops what stands under a name that is too long or empty.
    tools: mapOf('ToolUses', {
      key: text('ToolName', { content: 'any', maxLength: 128 }),
      value: amount,
      most: maxTools,
    }),
  },
);

const requestFields = {
  requestId: text('LimitRequestId', {
    examples: ['request-4711'],
    maxLength: 128,
    description: 'Identifies one request: a retry of an admitted one has the same answer and is not counted again.',
  }),
  target: text('LimitTarget', { content: 'any', maxLength: 8_192, examples: ['/v1/chat/completions'] }),
  plan: text('LimitPlan', { maxLength: 64, examples: ['pro'] }),
  timeZone: text('LimitTimeZone', { maxLength: 64, examples: ['Europe/Zurich'] }),
  weight: LimitWeight,
  show: t.readonlyArray(oneOf('LimitShown', ['reply', 'rules'])),
};

export const LimitPeek = record('LimitPeek', { dimensions: LimitDimensions }, requestFields);
export type LimitPeek = t.TypeOf<typeof LimitPeek>;
export const LimitCheck = record(
  'LimitCheck',
  { dimensions: LimitDimensions },
  { ...requestFields, mode: oneOf('LimitMode', ['take', 'reserve']) },
);
export type LimitCheck = t.TypeOf<typeof LimitCheck>;

/** Either what was used or that it failed; nothing comes after a failure. */
export const LimitSettlement = constrained(
  record(
    'LimitSettlement',
    { reservationId: text('ReservationId', { examples: ['r.018f2a5e.c2lnbmVk'], maxLength: 512 }) },
    { actual: LimitWeight, outcome: oneOf('ReservedOutcome', ['failed']), final: t.boolean },
  ),
  {
    if: { required: ['actual'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { not: { required: ['outcome'] } },
    else: { required: ['outcome'], properties: { final: { const: true } } },
  },
);
export type LimitSettlement = t.TypeOf<typeof LimitSettlement>;

const maxBatchSize = 100;
const batchOf = <Message extends t.Mixed>(name: string, message: Message) => {
  const requests = listOf(`from 1 to ${maxBatchSize} of them`, message, maxBatchSize, 1);
  return record(name, { requests });
};

export const LimitPeeks = batchOf('LimitPeeks', LimitPeek);
export const LimitChecks = batchOf('LimitChecks', LimitCheck);
export const LimitSettlements = batchOf('LimitSettlements', LimitSettlement);

const shortText = text('LimitWords', { maxLength: 1_024 });
const count = integer(0);

const LimitState = record(
  'LimitState',
  {
    unit: oneOf('LimitUnit', ['requests', 'bytes', 'tokens', 'input-tokens', 'output-tokens', 'concurrent-requests']),
    limit: count,
    remaining: count,
    resetSeconds: count,
    windowSeconds: count,
    over: t.boolean,
  },
  { rule: shortText, watched: t.boolean },
);

const LimitReply = record(
  'LimitReply',
  { headers: t.readonly(t.record(t.string, t.string, 'LimitReplyHeaders')) },
  {
    status: integer(400, 599),
    body: record('LimitReplyBody', { error: shortText, message: shortText }, { retryAfterSeconds: count }),
  },
);

export const LimitDecision = record(
  'LimitDecision',
  {
    outcome: oneOf('LimitOutcome', ['allow', 'deny', 'degrade']),
    limits: t.readonlyArray(LimitState),
    retryAfterSeconds: count,
    configVersion: shortText,
    source: oneOf('LimitSource', ['store', 'local', 'policy']),
  },
  {
    reason: oneOf('LimitReason', ['limited', 'blocked', 'too-large', 'store-unavailable']),
    reservationId: shortText,
    turnMilliseconds: count,
    hint: shortText,
    message: shortText,
    reply: LimitReply,
    estimateSource: oneOf('LimitEstimateSource', ['request', 'policy']),
  },
);
export type LimitDecision = t.TypeOf<typeof LimitDecision>;
export const LimitDecisions = record('LimitDecisions', { answers: t.readonlyArray(LimitDecision) });

export const Settled = record('LimitSettled', { outcome: oneOf('SettleOutcome', ['settled', 'settled-before']) });
export const SettledEach = record('LimitSettledEach', {
  answers: t.readonlyArray(
    record('LimitSettledOne', {
      outcome: oneOf('SettleOutcomeOfOne', ['settled', 'settled-before', 'unknown', 'unavailable']),
    }),
  ),
});
