/**
 * Operation ids that clients chose. They are idempotency keys as long as the document exists, so none is evicted: the
 * latest are stored as they are, older ones as fingerprints in sorted runs. A run never changes, so snapshots share
 * it.
 */
import type { OperationId } from '../ids';
import { decodeBase64, encodeBase64 } from '../text/base64';

/** Sorted by `high`. Each index is one id: both halves of its fingerprint, and the low half of its actor's. */
export interface IdRun {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly actors: Uint32Array;
}

export interface CustomIds {
  readonly runs: IdRun[];
  /** With their actors, the oldest first. */
  readonly latest: Map<OperationId, string>;
}

export const idsPerRun = 4_096;

export const emptyCustomIds = (): CustomIds => ({ runs: [], latest: new Map() });

interface Fingerprint {
  readonly high: number;
  readonly low: number;
}

/** 64-bit FNV-1a. A million ids collide with a probability of 1 in 30,000,000. */
export const fingerprintOf = (ascii: string): Fingerprint => {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (let index = 0; index < ascii.length; index += 1) {
    const mixed = (low ^ ascii.charCodeAt(index)) >>> 0;
    const product = mixed * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return { high, low };
};

const buildRun = (ids: ReadonlyMap<OperationId, string>): IdRun => {
  const rows = Array.from(ids, ([id, actorId]) => ({ ...fingerprintOf(id), actor: fingerprintOf(actorId).low }));
  rows.sort((one, other) => one.high - other.high);
  return {
    high: Uint32Array.from(rows, ({ high }) => high),
    low: Uint32Array.from(rows, ({ low }) => low),
    actors: Uint32Array.from(rows, ({ actor }) => actor),
  };
};

export const addCustomId = ({ runs, latest }: CustomIds, id: OperationId, actorId: string): void => {
  latest.set(id, actorId);
  if (latest.size < idsPerRun) return;
  runs.push(buildRun(latest));
  latest.clear();
};

export const countCustomIds = ({ runs, latest }: CustomIds): number => runs.length * idsPerRun + latest.size;

const firstAtLeast = (sorted: Uint32Array, wanted: number): number => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
};

const findActor = (run: IdRun, { high, low }: Fingerprint): number | undefined => {
  for (let index = firstAtLeast(run.high, high); run.high[index] === high; index += 1)
    if (run.low[index] === low) return run.actors[index];
  return undefined;
};

/** Who used the id; undefined if it is free. */
export const findIdOwner = (
  { runs, latest }: CustomIds,
  id: OperationId,
  principalId: string,
): 'same-principal' | 'another' | undefined => {
  const actorId = latest.get(id);
  if (actorId !== undefined) return actorId === principalId ? 'same-principal' : 'another';
  const fingerprint = fingerprintOf(id);
  for (const run of runs) {
    const actor = findActor(run, fingerprint);
    if (actor !== undefined) return actor === fingerprintOf(principalId).low ? 'same-principal' : 'another';
  }
  return undefined;
};

const bytesOfNumber = 4;
const columns = ['high', 'low', 'actors'] as const;

/** Stored column by column, as four-byte little-endian numbers. */
export const serializeRun = (run: IdRun): string => {
  const view = new DataView(new ArrayBuffer(columns.length * run.high.length * bytesOfNumber));
  for (const [column, name] of columns.entries())
    for (const [index, value] of run[name].entries())
      view.setUint32((column * run.high.length + index) * bytesOfNumber, value, true);
  return encodeBase64(new Uint8Array(view.buffer));
};

/** Undefined if the text is malformed. */
export const parseRun = (text: string): IdRun | undefined => {
  const bytes = decodeBase64(text);
  if (bytes === undefined || bytes.length % (columns.length * bytesOfNumber) !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  const length = bytes.length / columns.length / bytesOfNumber;
  const column = (place: number): Uint32Array =>
    Uint32Array.from({ length }, (_, index) => view.getUint32((place * length + index) * bytesOfNumber, true));
  return { high: column(0), low: column(1), actors: column(2) };
};
