/** Escape sequences of terminals (ECMA-48), which programs put between the characters of a text: colors, links, titles. */
import type { Reading } from './readings';

const escapeByte = 0x1b;
const bel = 0x07;
const newline = 0x0a;
/** Of a sequence with parameters, and of one with a text: an address in a link is as long as that. */
const longestControl = 64;
const longestText = 4_096;

const isWithin = (byte: number | undefined, first: number, last: number): boolean =>
  byte !== undefined && byte >= first && byte <= last;

/** Where the parameters and intermediate bytes end, and with them the sequence. A byte that no sequence has ends it too. */
const controlEnd = (bytes: Uint8Array, from: number): number | 'incomplete' => {
  for (let at = from; at < bytes.length; at += 1) {
    if (isWithin(bytes[at], 0x20, 0x3f) && at - from < longestControl) continue;
    return isWithin(bytes[at], 0x40, 0x7e) ? at + 1 : at;
  }
  return 'incomplete';
};

/** A text ends with BEL or `ESC \`; a line end or another sequence breaks it off. */
const textEnd = (bytes: Uint8Array, from: number): number | 'incomplete' | undefined => {
  for (let at = from; at < bytes.length; at += 1) {
    if (at - from >= longestText) return undefined;
    if (bytes[at] === bel) return at + 1;
    if (bytes[at] === newline) return at;
    if (bytes[at] !== escapeByte) continue;
    if (at + 1 === bytes.length) return 'incomplete';
    return bytes[at + 1] === 0x5c ? at + 2 : at;
  }
  return 'incomplete';
};

const sequenceEnd = (bytes: Uint8Array, at: number): number | 'incomplete' | undefined => {
  const kind = bytes[at + 1];
  if (kind === undefined) return 'incomplete';
  if (kind === 0x5b) return controlEnd(bytes, at + 2);
  // Operating system command, device control, start of string, privacy message, application command.
  if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(kind)) return textEnd(bytes, at + 2) ?? at + 2;
  if (isWithin(kind, 0x20, 0x2f)) {
    const end = bytes[at + 2];
    return end === undefined ? 'incomplete' : isWithin(end, 0x30, 0x7e) ? at + 3 : at + 2;
  }
  return isWithin(kind, 0x30, 0x7e) ? at + 2 : at + 1;
};

export const terminalEscapes: Pick<Reading, 'token' | 'triggers'> = {
  triggers: [escapeByte],
  token: (bytes, at) => {
    const end = sequenceEnd(bytes, at);
    return typeof end === 'number' ? { length: end - at, bytes: [] } : end;
  },
};
