/** What the platform's queries answer, as far as these pages show it. */

export interface StreamRow {
  readonly stream: string;
  readonly context: string | null;
  readonly tenantId: string | null;
  readonly events: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly lastType: string;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly at: string | null;
  readonly contentType: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface StateChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
  readonly was?: unknown;
}

export interface OneEvent {
  readonly event: EventRow;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly changes?: readonly StateChange[];
  readonly stateOmitted?: string;
}

export interface Cause {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly at: string | null;
  readonly depth: number;
}

export interface Causes {
  readonly items: readonly Cause[];
  readonly truncated: boolean;
}

export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

export interface ViewRebuild {
  readonly outcome: string;
  readonly began: string;
  readonly ended: string | null;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly secondsLeft: number | null;
  readonly differs: boolean | null;
  readonly reason: string | null;
}

export interface ViewRow {
  readonly name: string;
  readonly version: number;
  readonly store: string;
  readonly phase: string;
  readonly checkpoint: string | null;
  readonly lagSeconds: number;
  readonly lagEvents: number | null;
  readonly skippedEvents: number;
  readonly seenAt: string;
  readonly lastRebuild: ViewRebuild | null;
}

export interface ProcessRow {
  readonly name: string;
  readonly state: string;
  readonly why: string | null;
  readonly checkpoint: string | null;
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly owner: string | null;
  readonly timersWaiting: number;
  readonly timersOverdue: number;
  readonly nextTimerAt: string | null;
}

export interface QueueRow {
  readonly queue: string;
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly dead: number;
  readonly oldestWaitingAt: string | null;
}

export interface TimerRow {
  readonly id: string;
  readonly process: string;
  readonly instance: string;
  readonly key: string;
  readonly at: string;
  readonly overdue: boolean;
}

export interface DeadLetter {
  readonly jobId: string;
  readonly queue: string;
  readonly attempts: number;
  readonly reason: string;
  readonly diedAt: string;
}

export type HealthStatus = 'ok' | 'degraded' | 'down';

export interface HealthPart {
  readonly name: string;
  readonly status: HealthStatus;
  readonly why: string | null;
}

export interface HealthItem extends HealthPart {
  readonly version: string | null;
  readonly uptimeSeconds: number | null;
  readonly answeredInMilliseconds: number | null;
  readonly parts: readonly HealthPart[];
}

export interface PlatformHealth {
  readonly status: HealthStatus;
  readonly at: string;
  readonly items: readonly HealthItem[];
}

export interface Items<Item> {
  readonly items: readonly Item[];
}
