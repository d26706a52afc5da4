/** Replaces secrets by `***`: as they are, and as programs often encode them. */

export interface Masker {
  /** Each line of a value of several lines is a secret too. Values shorter than 3 characters would mask ordinary text. */
  readonly add: (secret: string) => void;
  readonly mask: (text: string) => string;
  /** How much of the end of `text` may be the beginning of a secret whose rest has not arrived yet. */
  readonly heldBack: (text: string) => number;
}

const shortestSecret = 3;
/** Of one line of a value: shorter ones are words, brackets and dashes. */
const shortestLine = 6;
const longestSecret = 65_536;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Base64 of any text that has the secret in it, at each of the three alignments; the ends depend on what is around it. */
const base64Forms = (secret: string): readonly string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.from(secret, 'utf8');
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor((whole.length * 8) / 6);
    return whole.toString('base64').slice(first, last);
  });

const formsOf = (secret: string): readonly string[] =>
  [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64Forms(secret)].filter(
    (form) => form.length >= Math.min(secret.length, shortestLine),
  );

export const openMasker = (): Masker => {
  const needles = new Set<string>();
  let pattern: RegExp | undefined;
  let longest = 0;
  return {
    add: (secret) => {
      const value = secret.toWellFormed().trim();
      if (value.length < shortestSecret || value.length > longestSecret) return;
      const lines = value.split(/\r?\n/).map((line) => line.trim());
      const parts = lines.length === 1 ? lines : lines.filter((line) => line.length >= shortestLine);
      for (const part of [value, ...parts]) for (const form of formsOf(part)) needles.add(form);
      const ordered = [...needles].sort((one, other) => other.length - one.length);
      longest = ordered[0]?.length ?? 0;
      pattern = new RegExp(ordered.map(escaped).join('|'), 'g');
    },
    mask: (text) => (pattern === undefined ? text : text.replace(pattern, '***')),
    heldBack: (text) => {
      let held = 0;
      const end = text.slice(-longest);
      for (const needle of needles)
        for (let size = Math.min(needle.length - 1, end.length); size > held; size -= 1)
          if (end.endsWith(needle.slice(0, size))) held = size;
      return held;
    },
  };
};
