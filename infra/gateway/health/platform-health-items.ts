/** Health reports of processes, and the items of the platform health made of them. */
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';

const Status = oneOf('HealthStatus', ['ok', 'degraded', 'down']);
type Status = t.TypeOf<typeof Status>;
const why = nullable(text('HealthWhy', { maxLength: 4_000 }));

/** A rate per second or a level of one process, as of its last sample. */
const RecentSample = record('RecentSample', {
  series: text('SeriesName', { maxLength: 256, examples: ['commands', 'lag/identity_principals'] }),
  value: finite,
  /** What is known of several processes is added, or its highest value counts. */
  merge: oneOf('SampleMerge', ['sum', 'max']),
});
const RecentSamples = t.readonlyArray(RecentSample, 'RecentSamples');

const Item = record('PlatformHealthItem', {
  name: text('ProcessTitle', { maxLength: 64, examples: ['read-api'] }),
  status: Status,
  why,
  version: nullable(text('Version', { maxLength: 64 })),
  uptimeSeconds: nullable(finite),
  answeredInMilliseconds: nullable(integer(0)),
  /** For operators of the platform; for others none. */
  recent: RecentSamples,
  parts: t.readonlyArray(
    record('PlatformHealthPart', { name: text('PartName', { maxLength: 256 }), status: Status, why }),
  ),
});
export type Item = t.TypeOf<typeof Item>;
export const PlatformHealth = record('PlatformHealth', { status: Status, at: Instant, items: t.readonlyArray(Item) });

export const HealthReport = record(
  'HealthReport',
  { status: t.string, parts: t.record(t.string, record('HealthReportPart', { ok: t.boolean }, { detail: t.string })) },
  { version: t.string, uptimeSeconds: finite, recent: RecentSamples },
);
type HealthReport = t.TypeOf<typeof HealthReport>;

const maxTextLength = 4_000;

const partsOf = ({ parts }: Pick<HealthReport, 'parts'>): Item['parts'] =>
  Object.entries(parts).map(([name, { ok, detail }]) => ({
    name: name.slice(0, 256),
    status: ok ? 'ok' : 'down',
    why: detail?.slice(0, maxTextLength) ?? null,
  }));

const statusOf = ({ status }: HealthReport, parts: Item['parts']): Status => {
  if (status === 'not-ready') return 'down';
  return status === 'ready' && parts.every((part) => part.status === 'ok') ? 'ok' : 'degraded';
};

const reasonOf = ({ status }: HealthReport, parts: Item['parts']): string | null => {
  if (status === 'draining') return 'It finishes its work and ends.';
  const bad = parts.filter((part) => part.status !== 'ok').map(({ name }) => name);
  if (status === 'not-ready') return `It takes no work: ${bad.join(', ') || 'it names no reason'}.`;
  return bad.length === 0 ? null : `Not in order: ${bad.join(', ')}.`.slice(0, maxTextLength);
};

export const itemOf = (name: string, report: HealthReport, milliseconds: number): Item => {
  const parts = partsOf(report);
  const { version = null, uptimeSeconds = null, recent = [] } = report;
  const answeredInMilliseconds = Math.round(milliseconds);
  return {
    name,
    status: statusOf(report, parts),
    why: reasonOf(report, parts),
    version,
    uptimeSeconds,
    answeredInMilliseconds,
    recent,
    parts,
  };
};

export const unreachableItem = (name: string, reason: string): Item => ({
  name,
  status: 'down',
  why: reason,
  version: null,
  uptimeSeconds: null,
  answeredInMilliseconds: null,
  recent: [],
  parts: [],
});

export const worstStatus = (items: readonly Item[]): Status => {
  if (items.some(({ status }) => status === 'down')) return 'down';
  return items.every(({ status }) => status === 'ok') ? 'ok' : 'degraded';
};
