/** Measures the usage of a response while its bytes pass to the client. */
import type { Weight } from '../decision/decision';
import { createBoundedJson } from './bounded-json';
import { tokenEstimates } from './estimate-tokens';
import { parseToolUses, parseUsage, type ToolUses, type Usage } from './parse-usage';
import { createStreamUsage } from './stream-usage';

/** How a response ended: complete, broken off by the provider, or left by the client. */
export type ResponseEnd = 'whole' | 'broken' | 'left';

export interface UsageMeter {
  readonly add: (bytes: Uint8Array) => void;
  /** Undefined before the first output, and for bodies that report at the end only. */
  readonly soFar: () => Weight | undefined;
  /** Unknown units are absent and stay as reserved. `refund`: the model failed before any output. */
  readonly end: (how: ResponseEnd) => Weight | 'refund';
}

const weightOf = (usage: Usage, tools: ToolUses | undefined): Weight =>
  tools === undefined ? usage : { ...usage, tools };

/** For a response that is not streamed. Once it starts, tokens were produced; it reports them at its end. */
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
  // Some providers report usage along the way; until the end it covers only the output so far.
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

/** If the provider refused the request, no tokens were produced. */
export const createUsageMeter = ({ status, contentType = '' }: ResponseStart, bytesPerToken?: number): UsageMeter => {
  if (status < 200 || status >= 300) return refusedMeter;
  return /^text\/event-stream\b/i.test(contentType) ? createStreamMeter(bytesPerToken) : createBodyMeter();
};
