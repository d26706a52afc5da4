/** On which line of a JSON text the value of each pointer (RFC 6901) begins. */

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Place {
  readonly pointer: string;
  readonly isList: boolean;
  /** In a list, the next item's number; in an object, the key that was read. */
  at: number | string | undefined;
}

/** Lines from 1. A text that is no JSON has the lines up to where it is. */
export const linesOfPointers = (text: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>();
  const open: Place[] = [];
  let [line, counted] = [1, 0];
  const begin = (): string => {
    const around = open.at(-1);
    const pointer = around === undefined ? '' : `${around.pointer}/${escaped(String(around.at))}`;
    if (!lines.has(pointer)) lines.set(pointer, line);
    return pointer;
  };
  for (const { 0: word, index } of text.matchAll(token)) {
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1;
    const around = open.at(-1);
    if (word === '{' || word === '[')
      open.push({ pointer: begin(), isList: word === '[', at: word === '[' ? 0 : undefined });
    else if (word === '}' || word === ']') open.pop();
    else if (word === ',' && around !== undefined) around.at = around.isList ? Number(around.at) + 1 : undefined;
    else if (word === ':' || word === ',') continue;
    else if (around !== undefined && !around.isList && around.at === undefined) around.at = keyIn(word);
    else begin();
  }
  return lines;
};

const keyIn = (word: string): string => {
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
};

/** Of the value, or of the nearest one around it: a missing field has no line of its own. */
export const lineOfPointer = (lines: ReadonlyMap<string, number>, pointer: string): number => {
  for (let around = pointer; around !== ''; around = around.slice(0, around.lastIndexOf('/'))) {
    const line = lines.get(around);
    if (line !== undefined) return line;
  }
  return 1;
};
