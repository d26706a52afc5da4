/** What an answer came to, read from its bytes as they pass to the caller. */
import type { Weight } from '../decision';
import { boundedJson } from './bounded-json';
import { estimates } from './estimate';
import { streamUsage } from './stream-usage';
import { type Tools, toolsIn, type Usage, usageIn } from './usage';

/** How an answer was over: complete, broken off by what stands behind, or left by the caller. */
export type Ending = 'whole' | 'broken' | 'left';

export interface Meter {
  readonly add: (bytes: Uint8Array) => void;
  /** Undefined where that can only be told at the end, or nothing was written yet. */
  readonly soFar: () => Weight | undefined;
  /** What it does not know is left out, and stays as it was reserved. `refund`: the model failed before it wrote anything. */
  readonly end: (how: Ending) => Weight | 'refund';
}

const weightOf = (usage: Usage, tools: Tools | undefined): Weight =>
  tools === undefined ? usage : { ...usage, tools };

/** Once it has begun tokens were made, whether or not the rest came; how many is said at its end. */
const wholeMeter = (): Meter => {
  const json = boundedJson();
  return {
    add: json.add,
    soFar: () => undefined,
    end: () => {
      const answer = json.take();
      return weightOf(usageIn(answer) ?? {}, toolsIn(answer));
    },
  };
};

export const streamMeter = (bytesPerToken: number = estimates.bytesPerToken): Meter => {
  const stream = streamUsage(bytesPerToken);
  const began = (): boolean => stream.produced() > 0 || stream.usage() !== undefined;
  // Some tell usage as they go: until the end it is of what was written then.
  const counted = (): Weight => {
    const outputTokens = Math.max(stream.usage()?.outputTokens ?? 0, stream.produced());
    return weightOf({ ...stream.usage(), outputTokens }, stream.tools());
  };
  const said = (): Weight => weightOf({ outputTokens: stream.produced(), ...stream.usage() }, stream.tools());
  return {
    add: stream.add,
    soFar: () => (began() ? counted() : undefined),
    end: (how) => {
      stream.end();
      if (!began() && (how === 'broken' || stream.failed())) return 'refund';
      return how === 'whole' ? said() : counted();
    },
  };
};

const refused: Meter = { add: () => undefined, soFar: () => undefined, end: () => 'refund' };

export interface Answered {
  readonly status: number;
  readonly contentType: string | undefined;
}

/** Where what stands behind refused, no tokens were made. */
export const meterFor = ({ status, contentType = '' }: Answered, bytesPerToken?: number): Meter => {
  if (status < 200 || status >= 300) return refused;
  return /^text\/event-stream\b/i.test(contentType) ? streamMeter(bytesPerToken) : wholeMeter();
};
