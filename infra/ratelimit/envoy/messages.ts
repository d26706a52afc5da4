/** The part of `envoy.service.ratelimit.v3` that is used here, as plain values. */

/** Larger requests are refused. */
export const maxSizes = { descriptors: 64, entries: 32 } as const;

export interface DescriptorEntry {
  readonly key: string;
  readonly value: string;
}

export interface LimitOverride {
  readonly requestsPerUnit: number;
  readonly unit: number;
  /** The period in units. */
  readonly multiplier: number;
}

export interface Descriptor {
  readonly entries: readonly DescriptorEntry[];
  /** Replaces the configured limits. */
  readonly limit?: LimitOverride;
  /** Replaces the request's hits. */
  readonly hits?: number;
  readonly isNegative: boolean;
}

export interface RateLimitRequest {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** 0 means unset, which counts as 1. */
  readonly hits: number;
}

/** `RateLimitResponse.Code`. */
export const codes = { ok: 1, overLimit: 2 } as const;

export interface DescriptorStatus {
  readonly code: (typeof codes)[keyof typeof codes];
  /** Undefined if no limit applies. */
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

export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface RateLimitResponse {
  readonly code: DescriptorStatus['code'];
  readonly statuses: readonly DescriptorStatus[];
  readonly responseHeaders: readonly Header[];
  readonly requestHeaders: readonly Header[];
  /** Body of a denial. */
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

/**
 * Calendar periods are recognised by their possible lengths; others are a multiple of the longest unit that divides
 * them.
 */
export const periodOf = (seconds: number): Period => {
  if (seconds === 0) return { unit: unknownUnit, multiplier: 1 };
  if (seconds >= 28 * daySeconds && seconds <= 31 * daySeconds) return { unit: monthUnit, multiplier: 1 };
  if (seconds === 365 * daySeconds || seconds === 366 * daySeconds) return { unit: yearUnit, multiplier: 1 };
  const unit = [4, 3, 2, 1].find((one) => seconds % (unitSeconds[one] ?? 1) === 0) ?? 1;
  return { unit, multiplier: seconds / (unitSeconds[unit] ?? 1) };
};
