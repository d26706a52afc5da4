/** What a process says of itself, as the platform's health shows it. */
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';

const Status = oneOf('HealthStatus', ['ok', 'degraded', 'down']);
type Status = t.TypeOf<typeof Status>;
const why = nullable(text('HealthWhy', { maxLength: 4_000 }));

const Item = record('PlatformHealthItem', {
  name: text('ProcessTitle', { maxLength: 64, examples: ['read-api'] }),
  status: Status,
  why,
  version: nullable(text('Version', { maxLength: 64 })),
  uptimeSeconds: nullable(finite),
  answeredInMilliseconds: nullable(integer(0)),
  parts: t.readonlyArray(
    record('PlatformHealthPart', { name: text('PartName', { maxLength: 256 }), status: Status, why }),
  ),
});
export type Item = t.TypeOf<typeof Item>;
export const PlatformHealth = record('PlatformHealth', { status: Status, at: Instant, items: t.readonlyArray(Item) });

export const Said = record(
  'Said',
  { status: t.string, parts: t.record(t.string, record('SaidPart', { ok: t.boolean }, { detail: t.string })) },
  { version: t.string, uptimeSeconds: finite },
);
type Said = t.TypeOf<typeof Said>;

const most = 4_000;

const partsOf = ({ parts }: Pick<Said, 'parts'>): Item['parts'] =>
  Object.entries(parts).map(([name, { ok, detail }]) => ({
    name: name.slice(0, 256),
    status: ok ? 'ok' : 'down',
    why: detail?.slice(0, most) ?? null,
  }));

const statusOf = ({ status }: Said, parts: Item['parts']): Status => {
  if (status === 'not-ready') return 'down';
  return status === 'ready' && parts.every((part) => part.status === 'ok') ? 'ok' : 'degraded';
};

const reasonOf = ({ status }: Said, parts: Item['parts']): string | null => {
  if (status === 'draining') return 'It finishes its work and ends.';
  const bad = parts.filter((part) => part.status !== 'ok').map(({ name }) => name);
  if (status === 'not-ready') return `It takes no work: ${bad.join(', ') || 'it does not say why'}.`;
  return bad.length === 0 ? null : `Not in order: ${bad.join(', ')}.`.slice(0, most);
};

export const itemOf = (name: string, said: Said, milliseconds: number): Item => {
  const parts = partsOf(said);
  const { version = null, uptimeSeconds = null } = said;
  const answeredInMilliseconds = Math.round(milliseconds);
  return {
    name,
    status: statusOf(said, parts),
    why: reasonOf(said, parts),
    version,
    uptimeSeconds,
    answeredInMilliseconds,
    parts,
  };
};

export const silent = (name: string, reason: string): Item => ({
  ...{ name, status: 'down', why: reason, version: null, uptimeSeconds: null, answeredInMilliseconds: null, parts: [] },
});

export const worst = (items: readonly Item[]): Status => {
  if (items.some(({ status }) => status === 'down')) return 'down';
  return items.every(({ status }) => status === 'ok') ? 'ok' : 'degraded';
};
