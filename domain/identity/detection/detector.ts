/** Passes decisions through all rules. What it remembers is bounded, and survives a restart as a snapshot. */
import type { AuthEvent } from '../protocol/auth-event';
import type { Severity } from '../protocol/severity';
import { createKeyedStates, type KeyedStates } from './keyed-states';
import type { ExpectedRuntime } from './policy/events';
import { createRecentlyUsed } from './recently-used';
import { type DetectionRuleName, detectionRuleNames, type RuleSettings } from './rule-names';
import { type AttributedDecision, detectionRules, type RuleContext } from './rules';

export interface TenantDetection {
  readonly settings: { readonly [rule in DetectionRuleName]: RuleSettings };
  readonly runtimes: readonly ExpectedRuntime[];
}

export interface Finding {
  readonly rule: DetectionRuleName;
  readonly severity: Severity;
  /** What the rule's state is of, within the tenant: an episode is of it. */
  readonly key: string;
  readonly event: AttributedDecision;
  readonly count: number;
  readonly settings: RuleSettings;
}

/** Of one rule: rows of tenant, key, state and the end of its episode. */
export type DetectorSnapshot = { readonly [rule in DetectionRuleName]?: readonly SnapshotRow[] } & {
  readonly seen?: readonly string[];
};
type SnapshotRow = readonly [tenant: string, key: string, remembered: Remembered];

interface Remembered {
  readonly state: unknown;
  /** No further alert of this key before; milliseconds since 1970. */
  readonly quietUntil?: number;
}

export interface Detector {
  readonly observe: (event: AuthEvent, detection: TenantDetection) => readonly Finding[];
  readonly snapshot: () => DetectorSnapshot;
  readonly restore: (snapshot: DetectorSnapshot) => void;
  /** How many states it has. */
  readonly size: () => number;
}

/** One alert for each rule and key in this time, however long it goes on: an episode. */
export const episodeSeconds = 3_600;
/** Of each rule. */
const maxStates = 20_000;
/** Events are delivered at least once; a repeated one comes soon. */
const maxSeen = 10_000;
const allTenants = '';

const attributed = (event: AuthEvent): AttributedDecision | undefined => {
  const { tenantId, principalId, jti } = event;
  return tenantId === null || principalId === null || jti === null
    ? undefined
    : { ...event, tenantId, principalId, jti };
};

export const createDetector = (most = maxStates): Detector => {
  const seen = createRecentlyUsed<true>();
  const tables = Object.fromEntries(detectionRuleNames.map((rule) => [rule, createKeyedStates<Remembered>(most)])) as {
    readonly [rule in DetectionRuleName]: KeyedStates<Remembered>;
  };

  const isRepeated = (eventId: string): boolean => {
    if (seen.get(eventId) !== undefined) return true;
    seen.set(eventId, true);
    if (seen.size() > maxSeen) seen.removeOldest();
    return false;
  };

  const apply = (rule: DetectionRuleName, event: AttributedDecision, context: RuleContext): Finding | undefined => {
    const { keyOf, next, severity, isGlobal } = detectionRules[rule];
    const key = keyOf(event, context);
    if (key === undefined) return undefined;
    const { at, settings } = context;
    const tenant = isGlobal === true ? allTenants : event.tenantId;
    const before = tables[rule].get(tenant, key);
    const { state, found: count } = next(before?.state, event, context);
    const quietUntil = before?.quietUntil ?? Number.NEGATIVE_INFINITY;
    if (count === undefined || at < quietUntil) {
      tables[rule].set(tenant, key, quietUntil > at ? { state, quietUntil } : { state });
      return undefined;
    }
    tables[rule].set(tenant, key, { state, quietUntil: at + episodeSeconds * 1_000 });
    const found = typeof severity === 'function' ? severity(event) : severity;
    return { rule, severity: found, key, event, count, settings };
  };

  const examine = (event: AttributedDecision, { settings, runtimes }: TenantDetection): readonly Finding[] => {
    const at = Date.parse(event.timestamp);
    const findings: Finding[] = [];
    for (const rule of detectionRuleNames) {
      if (!settings[rule].isOn) continue;
      const finding = apply(rule, event, { settings: settings[rule], at, runtimes });
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  };

  return {
    observe: (event, detection) => {
      const decision = attributed(event);
      if (decision === undefined || isRepeated(event.eventId)) return [];
      return examine(decision, detection);
    },
    snapshot: () => ({
      ...Object.fromEntries(detectionRuleNames.map((rule) => [rule, tables[rule].entries()])),
      seen: seen.entries().map(([eventId]) => eventId),
    }),
    restore: (snapshot) => {
      for (const eventId of snapshot.seen ?? []) seen.set(eventId, true);
      for (const rule of detectionRuleNames)
        for (const [tenant, key, remembered] of snapshot[rule] ?? []) tables[rule].set(tenant, key, remembered);
    },
    size: () => detectionRuleNames.reduce((sum, rule) => sum + tables[rule].size(), 0),
  };
};
