/** Health of every process and its dependencies. */
import { getPlatformHealth } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { Timestamp } from '../../components/timestamp';
import { durationOf } from '../../kernel/format';
import { useResource } from '../../kernel/use-resource';
import type { HealthItem, HealthPart, HealthStatus, PlatformHealth } from '../api-types';

const tones: { readonly [Status in HealthStatus]: Tone } = { ok: 'good', degraded: 'warn', down: 'bad' };
const words: { readonly [Status in HealthStatus]: string } = {
  ok: 'Everything is in order.',
  degraded: 'Something is not in order.',
  down: 'Something is down.',
};

const Part = ({ part: { name, status, why } }: { readonly part: HealthPart }) => (
  <li class="line">
    <span class={`pulse ${tones[status]}`} />
    <span>
      {name}
      {status !== 'ok' && <span class="hidden-text"> is {status}</span>}
      {why !== null && <span class="below"> {why}</span>}
    </span>
  </li>
);

const Aside = ({ item: { version, uptimeSeconds, answeredInMilliseconds } }: { readonly item: HealthItem }) => {
  const facts = [
    version === null ? undefined : `Version ${version}`,
    uptimeSeconds === null ? undefined : `up ${durationOf(uptimeSeconds)}`,
    answeredInMilliseconds === null ? undefined : `answered in ${answeredInMilliseconds} ms`,
  ].filter((fact) => fact !== undefined);
  return <p class="below">{facts.join(', ')}</p>;
};

const Process = ({ item }: { readonly item: HealthItem }) => (
  <li class="part">
    <h2>{item.name}</h2>
    <StatusBadge tone={tones[item.status]}>{item.status}</StatusBadge>
    {item.why !== null && <p class="why">{item.why}</p>}
    {item.parts.length > 0 && (
      <ul class="why">
        {item.parts.map((part) => (
          <Part key={part.name} part={part} />
        ))}
      </ul>
    )}
    <Aside item={item} />
  </li>
);

const Whole = ({ health: { status, at, items } }: { readonly health: PlatformHealth }) => (
  <>
    <div class={status === 'ok' ? 'notice' : `notice ${tones[status]}`} role="status">
      {words[status]} <span class="faint">Checked</span> <Timestamp at={at} />
    </div>
    <ul class="parts">
      {items.map((item) => (
        <Process key={item.name} item={item} />
      ))}
    </ul>
  </>
);

const everyMilliseconds = 3_000;

export const HealthPage = () => {
  const health = useResource(getPlatformHealth(), { everyMilliseconds });
  return (
    <>
      <PageHeading title="Health" lead="Every process and its dependencies, checked just now." />
      <AsyncContent source={health}>{(content) => <Whole health={content} />}</AsyncContent>
    </>
  );
};
