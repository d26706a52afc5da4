/** What an answer came to, read from its bytes as they pass to the caller. */
import type { Weight } from '../decision/decision';
import { createBoundedJson } from './bounded-json';
import { tokenEstimates } from './estimate-tokens';
import { parseToolUses, parseUsage, type ToolUses, type Usage } from './parse-usage';
import { createStreamUsage } from './stream-usage';

/** How an answer was over: complete, broken off by what stands behind, or left by the caller. */
export type ResponseEnd = 'whole' | 'broken' | 'left';

export interface UsageMeter {
  readonly add: (bytes: Uint8Array) => void;
  /** Undefined where that can only be told at the end, or nothing was written yet. */
  readonly soFar: () => Weight | undefined;
  /** What it does not know is left out, and stays as it was reserved. `refund`: the model failed before it wrote anything. */
  readonly end: (how: ResponseEnd) => Weight | 'refund';
}

const weightOf = (usage: Usage, tools: ToolUses | undefined): Weight =>
  tools === undefined ? usage : { ...usage, tools };

/** Once it has begun tokens were made, whether or not the rest came; how many is said at its end. */
const createBodyMeter = (): UsageMeter => {
  const json = createBoundedJson();
  return {
    add: json.add,
    soFar: () => undefined,
    end: () => {
      const answer = json.take();
      return weightOf(parseUsage(answer) ?? {}, parseToolUses(answer));
    },
  };
};

export const createStreamMeter = (bytesPerToken: number = tokenEstimates.bytesPerToken): UsageMeter => {
  const stream = createStreamUsage(bytesPerToken);
  const began = (): boolean => stream.produced() > 0 || stream.usage() !== undefined;
  // Some tell usage as they go: until the end it is of what was written then.
  const counted = (): Weight => {
    const outputTokens = Math.max(stream.usage()?.outputTokens ?? 0, stream.produced());
    return weightOf({ ...stream.usage(), outputTokens }, stream.tools());
  };
  const reported = (): Weight => weightOf({ outputTokens: stream.produced(), ...stream.usage() }, stream.tools());
  return {
    add: stream.add,
    soFar: () => (began() ? counted() : undefined),
    end: (how) => {
      stream.end();
      if (!began() && (how === 'broken' || stream.failed())) return 'refund';
      return how === 'whole' ? reported() : counted();
    },
  };
};

const refusedMeter: UsageMeter = { add: () => undefined, soFar: () => undefined, end: () => 'refund' };

export interface ResponseStart {
  readonly status: number;
  readonly contentType: string | undefined;
}

/** Where what stands behind refused, no tokens were made. */
export const createUsageMeter = ({ status, contentType = '' }: ResponseStart, bytesPerToken?: number): UsageMeter => {
  if (status < 200 || status >= 300) return refusedMeter;
  return /^text\/event-stream\b/i.test(contentType) ? createStreamMeter(bytesPerToken) : createBodyMeter();
};
