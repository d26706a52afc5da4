/** Replaces secrets by `***`, as they are and as programs encode them (`readings.ts`). */
import { buildAutomaton } from './automaton';
import { type Automata, type ByteRange, findSecrets, mergeRanges } from './find-secrets';
import { mostPatternBytesOf, type Pattern, type PatternKind, patternsOf, textPattern } from './readings';

export type AddedSecret =
  | { readonly kind: 'masked' }
  /** It would mask ordinary text. */
  | { readonly kind: 'ignored'; readonly detail: string }
  /** It cannot be found in texts: everything is masked from now on. */
  | { readonly kind: 'refused'; readonly detail: string };

export interface Masker {
  /** Each line of a value of several lines is a secret too. */
  readonly add: (secret: string) => AddedSecret;
  /** A value cannot be added: from now on every line of every text is masked, as any may have it. */
  readonly maskEverything: () => void;
  readonly mask: (text: string) => string;
  /** Of one text that arrives in pieces. */
  readonly openStream: () => MaskingStream;
}

export interface MaskingStream {
  /** What can be shown so far: the end of a piece may be the beginning of a secret. */
  readonly push: (text: string) => string;
  /** The text has ended. */
  readonly end: () => string;
}

const shortestSecret = 3;
/** Of one line of a value: shorter ones are words, brackets and dashes. */
const shortestLine = 6;
const longestSecret = 65_536;
const mostSecrets = 1_000;
/** Bytes of all patterns: the automaton takes about 40 bytes for each. */
const mostPatternBytes = 2_097_152;
/** An automaton of recent patterns is made again for each; it joins the other when it has grown to a part of it. */
const mostRecentBytes = 16_384;

const mark = '***';
const masked: AddedSecret = { kind: 'masked' };

const valuesOf = (secret: string): readonly string[] => {
  const value = secret.toWellFormed().trim();
  const joined = value.replaceAll('\r\n', '\n');
  const lines = joined.split('\n').map((line) => line.trim());
  const maskedLines = lines.length === 1 ? [] : lines.filter((line) => line.length >= shortestLine);
  return [...new Set([value, joined, ...maskedLines])];
};

interface PatternSet {
  readonly patterns: Map<string, Pattern>;
  bytes: number;
  automata: Automata | undefined;
}

const openPatternSet = (): PatternSet => ({ patterns: new Map(), bytes: 0, automata: undefined });

const addPattern = (set: PatternSet, key: string, pattern: Pattern): void => {
  set.patterns.set(key, pattern);
  set.bytes += pattern.bytes.length;
  set.automata = undefined;
};

const keyOf = ({ kind, bytes }: Pattern): string => `${kind} ${bytes.toString('latin1')}`;

const kinds: readonly PatternKind[] = ['text', 'base64', 'hexadecimal'];

const buildAutomata = ({ patterns }: PatternSet): Automata => {
  const all = [...patterns.values()];
  const ofKind = (kind: PatternKind): readonly Buffer[] =>
    all.filter((pattern) => pattern.kind === kind).map(({ bytes }) => bytes);
  return new Map(kinds.map((kind) => [kind, buildAutomaton(ofKind(kind))]));
};

export const openMasker = (): Masker => {
  const [settled, recent] = [openPatternSet(), openPatternSet()];
  let secrets = 0;
  let masksEverything = false;

  const isKnown = (key: string): boolean => settled.patterns.has(key) || recent.patterns.has(key);
  const refuse = (detail: string): AddedSecret => {
    masksEverything = true;
    return { kind: 'refused', detail: `${detail}. What programs print is left out from here on.` };
  };
  const add: Masker['add'] = (secret) => {
    if (secret.trim().length < shortestSecret)
      return { kind: 'ignored', detail: `A value of less than ${shortestSecret} characters is not masked.` };
    if (secret.length > longestSecret) return refuse(`A value to be masked is longer than ${longestSecret} characters`);
    const values = valuesOf(secret).filter((value) => !isKnown(keyOf(textPattern(value))));
    if (values.length === 0) return masked;
    secrets += 1;
    // Patterns are expensive to make: what is beyond the bound has none.
    const expected = values.reduce((sum, value) => sum + mostPatternBytesOf(value), 0);
    if (secrets > mostSecrets || settled.bytes + recent.bytes + expected > mostPatternBytes)
      return refuse(`The job has more values to be masked than ${mostSecrets}, or longer ones than can be found`);
    const added = values
      .flatMap(patternsOf)
      .map((pattern) => [keyOf(pattern), pattern] as const)
      .filter(([key]) => !isKnown(key));
    for (const [key, pattern] of added) addPattern(recent, key, pattern);
    if (recent.bytes < Math.max(mostRecentBytes, settled.bytes / 4)) return masked;
    for (const [key, pattern] of recent.patterns) addPattern(settled, key, pattern);
    Object.assign(recent, openPatternSet());
    return masked;
  };
  const automata = (): readonly Automata[] =>
    [settled, recent].flatMap((set) => {
      if (set.patterns.size === 0) return [];
      set.automata ??= buildAutomata(set);
      return [set.automata];
    });

  const openStream = (): MaskingStream => {
    let pending = Buffer.alloc(0);
    let arrived: string[] = [];
    let arrivedLength = 0;
    /** How much of the beginning of what is pending is known to be secret, and whether what was shown last is. */
    let maskedLength = 0;
    let endsMasked = false;
    const show = (isLast: boolean): string => {
      const bytes = Buffer.concat([pending, Buffer.from(arrived.join(''), 'utf8')]);
      arrived = [];
      arrivedLength = 0;
      const found = findSecrets(bytes, automata(), isLast);
      const known: readonly ByteRange[] = maskedLength > 0 ? [[0, maskedLength]] : [];
      let masked = '';
      let at = 0;
      maskedLength = 0;
      for (const [from, to] of mergeRanges([...known, ...found.ranges])) {
        if (from >= found.heldFrom) {
          if (from === found.heldFrom) maskedLength = to - from;
          break;
        }
        if (from > at) masked += bytes.toString('utf8', at, from);
        if (from > 0 || !endsMasked) masked += mark;
        at = Math.min(to, found.heldFrom);
        endsMasked = true;
        maskedLength = to - at;
      }
      if (found.heldFrom > at) {
        masked += bytes.toString('utf8', at, found.heldFrom);
        endsMasked = false;
      }
      pending = bytes.subarray(found.heldFrom);
      return masked;
    };
    return {
      push: (text) => {
        if (masksEverything) return text.replace(/[^\n]+/g, mark);
        if (text === '') return '';
        arrived.push(text);
        arrivedLength += text.length;
        // Much that is held is looked at again when it has grown by a part, not for every piece.
        return arrivedLength < pending.length / 4 ? '' : show(false);
      },
      end: () => (masksEverything ? '' : show(true)),
    };
  };
  return {
    add,
    mask: (text) => {
      const stream = openStream();
      return `${stream.push(text)}${stream.end()}`;
    },
    maskEverything: () => {
      masksEverything = true;
    },
    openStream,
  };
};
