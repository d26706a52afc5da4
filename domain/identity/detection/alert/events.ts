/** Alerts of one rule about one key, as a token or a principal: one for each episode. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { Instant, integer, nullable, oneOf, text } from '../../../kernel/codec';
import { aggregate } from '../../../kernel/family';
import { idOf, PrincipalId } from '../../../kernel/ids';
import { PrincipalType } from '../../ids';
import { AuthReason, TokenId } from '../../protocol/auth-event';
import { Severity } from '../../protocol/severity';
import { detectionRuleNames } from '../rule-names';

/** Of the stream: rule and key. */
const AlertSubjectId = idOf('AlertSubjectId');
export type AlertSubjectId = TypeOf<typeof AlertSubjectId>;
export const AlertId = idOf('AlertId');
export type AlertId = TypeOf<typeof AlertId>;

/** Rules of decisions, and what the log itself shows. */
const AlertRule = oneOf('AlertRule', [...detectionRuleNames, 'refresh-token-reuse', 'code-replay']);

const name = (label: string) => text(label, { content: 'any', maxLength: 256 });

export const alertFields = {
  alertId: AlertId,
  rule: AlertRule,
  severity: Severity,
  principalId: PrincipalId,
  principalType: nullable(PrincipalType),
  jti: nullable(TokenId),
  /** Of the decision that made it an alert. */
  decidedAt: Instant,
  audience: nullable(name('AlertAudience')),
  reason: nullable(AuthReason),
  workloadId: nullable(name('AlertWorkload')),
  clusterId: nullable(name('AlertCluster')),
  /** How many were counted, of how many, within how long. */
  count: integer(0),
  threshold: integer(1),
  windowSeconds: integer(1),
  /** Whether the tenant wants an incident of it. */
  opensIncident: t.boolean,
};

export const alerts = aggregate(
  { context: 'identity', name: 'alert', id: AlertSubjectId },
  { AlertRaised: { v: 1, data: alertFields } },
);
export type AlertEvent = typeof alerts.Event;
export type Alert = AlertEvent['data'];

export const { stream: alertStream } = alerts;
