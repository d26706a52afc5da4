import type { Decision, LimitRequest } from './decision';

/** Told of every decision, also of what rules say that are only watched; what it throws is dropped. */
export type OnDecision = (decision: Decision, request: LimitRequest) => void;

export const telling = (tell: OnDecision | undefined, decision: Decision, request: LimitRequest): void => {
  try {
    tell?.(decision, request);
  } catch {
    // Decisions do not wait for whoever counts them, nor fail with them.
  }
};
