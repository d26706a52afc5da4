/** Rules of detection: name, severity and default settings. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { integer, oneOf, record } from '../../kernel/codec';

export const DetectionRuleName = oneOf('DetectionRuleName', [
  'sender-binding-mismatch',
  'token-replay',
  'large-scale-replay',
  'rate-anomaly',
  'new-address',
  'impossible-travel',
  'unexpected-runtime',
  'tool-outside-allowlist',
  'approval-bypass',
  'scope-escalation',
  'call-after-task-end',
  'repeated-denial',
  'cross-tenant',
]);
export type DetectionRuleName = TypeOf<typeof DetectionRuleName>;

export const detectionRuleNames = Object.keys(DetectionRuleName.keys) as readonly DetectionRuleName[];

const maxThreshold = 10_000;
/** Rules that compare values keep each of them. */
export const maxDistinct = 50;

export const RuleSettings = record('DetectionRuleSettings', {
  isOn: t.boolean,
  /** How many decisions, or how many different values in them, are an alert. */
  threshold: integer(1, maxThreshold),
  windowSeconds: integer(10, 86_400),
  /** Whether an alert opens an incident, which ends the access of its principal. */
  opensIncident: t.boolean,
});
export type RuleSettings = TypeOf<typeof RuleSettings>;

const of = (threshold: number, windowSeconds: number): RuleSettings => ({
  isOn: true,
  threshold,
  windowSeconds,
  opensIncident: false,
});

/** Until a tenant sets its own. */
export const defaultSettings: { readonly [rule in DetectionRuleName]: RuleSettings } = {
  'sender-binding-mismatch': of(3, 300),
  'token-replay': of(3, 300),
  'large-scale-replay': of(10, 600),
  'rate-anomaly': of(600, 60),
  'new-address': of(1, 86_400),
  'impossible-travel': of(4, 300),
  'unexpected-runtime': of(1, 300),
  'tool-outside-allowlist': of(3, 600),
  'approval-bypass': of(3, 600),
  'scope-escalation': of(5, 600),
  'call-after-task-end': of(3, 600),
  'repeated-denial': of(20, 300),
  'cross-tenant': of(1, 300),
};

/** Rules that compare values rather than count decisions: their threshold is bounded by what they keep. */
export const comparingRules: readonly DetectionRuleName[] = [
  'token-replay',
  'large-scale-replay',
  'new-address',
  'impossible-travel',
  'cross-tenant',
];
