/** What an Envoy asks and is answered: the part of `envoy.service.ratelimit.v3` that is used here, as plain values. */

/** More than that in one request is not answered. */
export const maxSizes = { descriptors: 64, entries: 32 } as const;

export interface DescriptorEntry {
  readonly key: string;
  readonly value: string;
}

export interface LimitOverride {
  readonly requestsPerUnit: number;
  readonly unit: number;
  /** Units that make the period. */
  readonly multiplier: number;
}

export interface Descriptor {
  readonly entries: readonly DescriptorEntry[];
  /** In place of the limits that are configured here. */
  readonly limit?: LimitOverride;
  /** In place of the request's. */
  readonly hits?: number;
  readonly isNegative: boolean;
}

export interface RateLimitRequest {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** 0: it was not said, which means 1. */
  readonly hits: number;
}

/** `RateLimitResponse.Code`. */
export const codes = { ok: 1, overLimit: 2 } as const;

export interface DescriptorStatus {
  readonly code: (typeof codes)[keyof typeof codes];
  /** Undefined: no limit holds for it. */
  readonly limit?: {
    readonly name: string;
    readonly requestsPerUnit: number;
    readonly period: Period;
    readonly remaining: number;
    readonly resetSeconds: number;
  };
}

export interface Period {
  readonly unit: number;
  readonly multiplier: number;
}

export type Header = readonly [name: string, value: string];

export interface RateLimitResponse {
  readonly code: DescriptorStatus['code'];
  readonly statuses: readonly DescriptorStatus[];
  readonly responseHeaders: readonly Header[];
  readonly requestHeaders: readonly Header[];
  /** Of what is over its limit. */
  readonly body: string;
}

const daySeconds = 86_400;

/** `RateLimitUnit`, each with its length in seconds. */
export const unitSeconds: { readonly [unit: number]: number } = {
  1: 1,
  2: 60,
  3: 3_600,
  4: daySeconds,
  5: 30 * daySeconds,
  6: 365 * daySeconds,
};

const [unknownUnit, monthUnit, yearUnit] = [0, 5, 6];

/** Those of the calendar are told by how long they can be; any other is so many of the longest unit that fits. */
export const periodOf = (seconds: number): Period => {
  if (seconds === 0) return { unit: unknownUnit, multiplier: 1 };
  if (seconds >= 28 * daySeconds && seconds <= 31 * daySeconds) return { unit: monthUnit, multiplier: 1 };
  if (seconds === 365 * daySeconds || seconds === 366 * daySeconds) return { unit: yearUnit, multiplier: 1 };
  const unit = [4, 3, 2, 1].find((one) => seconds % (unitSeconds[one] ?? 1) === 0) ?? 1;
  return { unit, multiplier: seconds / (unitSeconds[unit] ?? 1) };
};
