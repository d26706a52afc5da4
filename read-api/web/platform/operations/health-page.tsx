/** Health of every process and its dependencies: what is not in order at once, the rest as a count that opens. */
import { getPlatformHealth } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { Timestamp } from '../../components/timestamp';
import { countOf, durationOf } from '../../kernel/format';
import { useResource } from '../../kernel/use-resource';
import type { HealthItem, HealthPart, HealthStatus, PlatformHealth } from '../api-types';

const tones: { readonly [Status in HealthStatus]: Tone } = { ok: 'good', degraded: 'warn', down: 'bad' };

const Part = ({ part: { name, status, why } }: { readonly part: HealthPart }) => (
  <li class="line">
    <span class={`pulse ${tones[status]}`} />
    <span>
      {name}
      {status !== 'ok' && <span class="hidden-text"> is {status}</span>}
      {status !== 'ok' && why !== null && <span class="below"> {why}</span>}
    </span>
  </li>
);

/** More would be a list of equal lines. */
const maxPartsInOrder = 6;

const Parts = ({ parts }: { readonly parts: readonly HealthPart[] }) => {
  const inOrder = parts.filter(({ status }) => status === 'ok');
  const others = parts.filter(({ status }) => status !== 'ok');
  const listed = inOrder.length > maxPartsInOrder ? others : [...others, ...inOrder];
  return (
    <>
      {listed.length > 0 && (
        <ul class="why">
          {listed.map((part) => (
            <Part key={part.name} part={part} />
          ))}
        </ul>
      )}
      {listed === others && inOrder.length > 0 && (
        <details class="why">
          <summary>
            {others.length === 0
              ? `All ${inOrder.length} parts are in order`
              : `${inOrder.length} of ${parts.length} parts are in order`}
          </summary>
          <ul>
            {inOrder.map((part) => (
              <Part key={part.name} part={part} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

const Aside = ({ item: { version, uptimeSeconds, answeredInMilliseconds } }: { readonly item: HealthItem }) => {
  const facts = [
    version === null ? undefined : `Version ${version}`,
    uptimeSeconds === null ? undefined : `up ${durationOf(uptimeSeconds)}`,
    answeredInMilliseconds === null ? undefined : `answered in ${answeredInMilliseconds}\u00a0ms`,
  ].filter((fact) => fact !== undefined);
  return <p class="below">{facts.join(', ')}</p>;
};

const Process = ({ item }: { readonly item: HealthItem }) => (
  <li class="part">
    <h2>{item.name}</h2>
    <StatusBadge tone={tones[item.status]}>{item.status}</StatusBadge>
    {item.why !== null && <p class="why">{item.why}</p>}
    <Parts parts={item.parts} />
    <Aside item={item} />
  </li>
);

const worst = ({ items }: PlatformHealth): readonly HealthItem[] =>
  items.toSorted((one, other) => Number(one.status === 'ok') - Number(other.status === 'ok'));

/** What is down, what is impaired, and of how many. */
const sentenceOf = ({ items }: PlatformHealth): string => {
  const withStatus = (status: HealthStatus): readonly string[] =>
    items.filter((item) => item.status === status).map(({ name }) => name);
  const [down, degraded] = [withStatus('down'), withStatus('degraded')];
  if (down.length + degraded.length === 0)
    return items.length === 1 ? 'The process is in order.' : `All ${items.length} processes are in order.`;
  const sentences = [
    down.length === 0 ? undefined : `${down.join(', ')} ${down.length === 1 ? 'is' : 'are'} down.`,
    degraded.length === 0
      ? undefined
      : `${degraded.join(', ')} ${degraded.length === 1 ? 'has a part that is' : 'have parts that are'} not in order.`,
    `${items.length - down.length - degraded.length} of ${countOf(items.length, 'process', 'processes')} in order.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
};

const Whole = ({ health }: { readonly health: PlatformHealth }) => (
  <>
    <div class={health.status === 'ok' ? 'notice' : `notice ${tones[health.status]}`} role="status">
      {sentenceOf(health)} <span class="faint">Checked</span> <Timestamp at={health.at} />
    </div>
    <ul class="parts">
      {worst(health).map((item) => (
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
