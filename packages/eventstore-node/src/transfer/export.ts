/** Writes the log of a server as lines. */
import { headerLine, trailerLine } from './frame';
import { lineOf } from './line';
import type { Server } from './server';
import { readServer, type Wanted } from './source';

export interface Sink {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
}

export interface Exported {
  readonly events: number;
  /** Of the last event; null when there was none. */
  readonly lastPosition: number | null;
}

const blockLength = 128 * 1024;

/** Lines go out together: a write for each would take longer than the line. */
const gathering = (sink: Sink) => {
  let lines: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    [lines, length] = [[], 0];
    await sink.write(text);
  };
  return {
    flush,
    add: (line: string): Promise<void> | undefined => {
      lines.push(line);
      length += line.length;
      return length < blockLength ? undefined : flush();
    },
  };
};

export const exportLog = async (
  server: Server,
  sink: Sink,
  { progress, ...wanted }: Wanted & { readonly progress: (events: number) => void },
): Promise<Exported> => {
  const { from = null, system } = wanted;
  const out = gathering(sink);
  const madeAt = new Date().toISOString();
  await out.add(headerLine({ source: await server.version(), madeAt, from, system }));
  let events = 0;
  let lastPosition: number | null = null;
  for await (const event of readServer(server, wanted)) {
    const full = out.add(lineOf(event));
    if (full !== undefined) await full;
    events += 1;
    lastPosition = event.position;
    progress(events);
  }
  await out.add(trailerLine(events));
  await out.flush();
  return { events, lastPosition };
};
