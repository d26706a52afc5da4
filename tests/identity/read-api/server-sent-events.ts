/** Server-sent events as a client takes them from an answer. */
import assert from 'node:assert/strict';

export interface Received {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

const eventIn = (block: string): Received =>
  Object.fromEntries(
    block
      .split('\n')
      .map((line) => /^(id|event|data): (.*)$/.exec(line))
      .flatMap((found) => (found === null ? [] : [[found[1], found[2]]])),
  );

/** The events of an answer, one after another; undefined at its end. */
export const readServerSentEvents = ({ body }: Response) => {
  assert.ok(body);
  const chunks = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (): Promise<Received | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await chunks.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const event = eventIn(text.slice(0, end));
      text = text.slice(end + 2);
      if (event.event !== undefined) return event;
    }
  };
};
