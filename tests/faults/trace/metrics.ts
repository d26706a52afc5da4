/** Metric families that each process must publish, and what makes their values sane. */
import assert from 'node:assert/strict';

export type Samples = ReadonlyMap<string, number>;

/** `family{labels}` to value; what a scraper refuses is not passed over. */
export const samplesOf = (text: string): Samples => {
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name, value] = /^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    assert.ok(name !== undefined && value !== undefined, `no sample: ${line}`);
    assert.ok(!samples.has(name), `twice: ${name}`);
    samples.set(name, Number(value.replace('Inf', 'Infinity').replace('Nan', 'NaN')));
  }
  return samples;
};

/** Of all samples whose line fits. */
const sum = (samples: Samples, shape: RegExp): number =>
  [...samples].filter(([name]) => shape.test(name)).reduce((total, [, value]) => total + value, 0);

interface Expected {
  readonly family: RegExp;
  readonly least: number;
  readonly most?: number;
}

const own: readonly Expected[] = [
  { family: /^septet_build_info\{.*version="\d+\.\d+\.\d+"/, least: 1, most: 1 },
  { family: /^process_resident_memory_bytes/, least: 1e7 },
  { family: /^process_start_time_seconds/, least: 1.7e9 },
  { family: /^nodejs_eventloop_lag_seconds\{/, least: 0 },
  { family: /^nodejs_gc_duration_seconds_count/, least: 1 },
  { family: /^trace_spans_total\{outcome="sent"/, least: 1 },
];
const served: readonly Expected[] = [
  { family: /^http_server_request_seconds_count\{.*route="\//, least: 1 },
  { family: /^http_server_requests_under_way/, least: 0, most: 1_000 },
];
const called = (call: string): Expected => ({
  family: new RegExp(`^event_store_call_seconds_count\\{.*call="${call}".*outcome="ok"`),
  least: 1,
});

export const expected: Readonly<Record<string, readonly Expected[]>> = {
  gateway: [
    ...own,
    { family: /^gateway_request_seconds_count\{.*method="POST".*status="201"/, least: 1 },
    { family: /^gateway_decisions_total\{.*decision="forwarded",reason="commands"/, least: 1 },
    { family: /^gateway_decisions_total\{.*decision="refused",reason="unauthenticated"/, least: 1 },
    { family: /^gateway_streams\{/, least: 1 },
    { family: /^gateway_revocations_stale_seconds/, least: 0, most: 60 },
  ],
  commands: [
    ...own,
    ...served,
    called('append'),
    called('read'),
    { family: /^commands_total\{.*command="RegisterPrincipal".*outcome="recorded"/, least: 1 },
    { family: /^commands_total\{.*command="SuspendPrincipal".*outcome="rejected"/, least: 1 },
    { family: /^command_rejections_total\{.*command="SuspendPrincipal".*code="[a-z-]+"/, least: 1 },
    { family: /^command_seconds_count\{.*command="RegisterPrincipal"/, least: 1 },
  ],
  // Of HTTP it serves commands of operators alone, which this system gets none of.
  processes: [
    ...own,
    called('append'),
    { family: /^process_events_total\{.*process="welcome-on-registered"/, least: 1 },
    { family: /^process_commands_total\{.*outcome="done"/, least: 1 },
    { family: /^process_lag_seconds/, least: 0, most: 60 },
    { family: /^process_stopped/, least: 0, most: 0 },
    { family: /^process_timer_late_seconds_count/, least: 1 },
    { family: /^commands_total\{.*context="sample".*outcome="recorded"/, least: 1 },
  ],
  workers: [
    ...own,
    called('append'),
    { family: /^work_jobs_total\{.*outcome="done"/, least: 1 },
    { family: /^work_queue_depth\{.*state="waiting"/, least: 0, most: 1_000 },
    { family: /^commands_total\{.*context="sample".*outcome="recorded"/, least: 1 },
  ],
  projections: [
    ...own,
    { family: /^projection_events_total\{.*view="identity_principals"/, least: 1 },
    { family: /^projection_batch_seconds_count\{.*view="identity_principals"/, least: 1 },
    { family: /^projection_lag_seconds\{.*view="identity_principals"/, least: 0, most: 60 },
    { family: /^projection_lag_events\{.*view="identity_principals"/, least: 0, most: 1_000 },
    { family: /^projection_stopped/, least: 0, most: 0 },
    { family: /^event_store_events_total\{.*call="subscribe"/, least: 1 },
  ],
  'read-api': [
    ...own,
    ...served,
    called('head'),
    { family: /^stream_clients\{.*transport="sse"/, least: 1 },
    { family: /^stream_clients\{.*transport="websocket"/, least: 1 },
    { family: /^stream_subscriptions\{/, least: 2 },
  ],
  blobs: [...own, ...served],
  ratelimit: [
    ...own,
    ...served,
    { family: /^ratelimit_decisions_total\{.*outcome="allow".*source="store"/, least: 1 },
    { family: /^ratelimit_decision_seconds_count/, least: 1 },
    { family: /^ratelimit_store_breaker_state/, least: 0, most: 2 },
  ],
  // This system gets no searches, runs no workflow and plays no film.
  search: own,
  edge: [...own, { family: /^edge_cached_objects/, least: 0, most: 0 }],
  workflow: own,
  editor: [
    ...own,
    ...served,
    called('append'),
    { family: /^editor_documents/, least: 1, most: 10 },
    { family: /^editor_operations_total/, least: 1 },
    { family: /^editor_append_seconds_count/, least: 1 },
  ],
};

export const assertSane = (process: string, samples: Samples): void => {
  for (const { family, least, most = Number.POSITIVE_INFINITY } of expected[process] ?? []) {
    assert.ok(
      [...samples.keys()].some((name) => family.test(name)),
      `${process} has no ${family}`,
    );
    const total = sum(samples, family);
    assert.ok(total >= least && total <= most, `${process}: ${family} is ${total}`);
  }
};

/** So many series at most of one family: labels of what was sent would make more. */
const mostSeries = 400;

export const assertBounded = (process: string, samples: Samples): void => {
  const series = new Map<string, number>();
  for (const name of samples.keys()) {
    const family = name.split('{', 1)[0] ?? '';
    series.set(family, (series.get(family) ?? 0) + 1);
  }
  for (const [family, count] of series) assert.ok(count <= mostSeries, `${process}: ${family} has ${count} series`);
};
