/** A place, whole, with its source and what is to be shown with it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { getEntity } from '../../../../packages/client/src/operations';
import type { Entity, EntityAddress, OpeningHours, PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { StatusBadge } from '../../components/status-badge';
import { Timestamp } from '../../components/timestamp';
import { countOf, numberOf } from '../../kernel/format';
import { now } from '../../kernel/now';
import { hasScope, ownTenant } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { streamPath } from '../../platform/paths';
import { closures, distanceOf, pointText, spaced, titled } from '../labels';
import { Explanation } from './explanation';
import { exceptionTexts, localDayIn, todayText, weekTexts } from './opening-hours';

const countries = new Intl.DisplayNames('en', { type: 'region' });

const addressText = ({ street, postal_code: code, locality, region, country }: EntityAddress): string => {
  const city = [code, locality].filter((part) => part !== null).join(' ');
  const parts = [street, city, region, country === null ? null : countries.of(country)];
  return parts.filter((part) => part !== null && part !== '').join(', ');
};

const Hours = ({ hours }: { readonly hours: OpeningHours }) => {
  const today = localDayIn(hours.tz, now.value);
  const days = [...weekTexts(hours), ...exceptionTexts(hours, today?.date ?? '')];
  return (
    <>
      {today !== undefined && (
        <>
          <p>{todayText(hours, today)}</p>
          <div class="below">
            It is {today.time} there ({hours.tz}).
          </div>
        </>
      )}
      <details>
        <summary>All hours</summary>
        <dl class="week">
          {days.map(({ day, text }) => (
            <div key={day}>
              <dt>{day}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
};

const ratingText = ({ rating, rating_count: count }: Entity): string =>
  rating === null ? 'Not rated' : `${rating.toFixed(1)} of 5, by ${countOf(count, 'person', 'people')}`;

const attributeText = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? numberOf(value) : value;
};

type Fact = readonly [name: string, value: ComponentChildren];

/** From 2001 to 2286. Lines without a version have the moment of their import, in milliseconds. */
const isMoment = (version: number): boolean => version >= 1e12 && version < 1e13;

const momentOf = (version: number) =>
  isMoment(version) ? (
    <>
      as of <Timestamp at={new Date(version).toISOString()} />
    </>
  ) : undefined;

const factsOf = (place: Entity): readonly Fact[] => {
  const { address, hours, alternative_names: names, attributes, popularity, source, version } = place;
  const optional = (isPresent: boolean, fact: () => Fact): readonly Fact[] => (isPresent ? [fact()] : []);
  return [
    ...optional(address !== null, () => ['Address', addressText(address as EntityAddress)]),
    ['Hours today', hours === null ? 'Not known' : <Hours key="hours" hours={hours} />],
    ['Rating', ratingText(place)],
    ...optional(popularity > 0, () => ['Popularity', numberOf(popularity)]),
    [
      'Coordinates',
      <span key="point" class="mono">
        {pointText(place)}
      </span>,
    ],
    ...optional(names.length > 0, () => ['Other names', names.map(({ name }) => name).join(', ')]),
    ...Object.entries(attributes).map(([name, value]): Fact => [titled(name), attributeText(value)]),
    [
      'Source',
      <>
        {source}, {momentOf(version) ?? `version ${version}`}
        {place.occurred_at !== null && (
          <>
            {' '}
            of <Timestamp at={place.occurred_at} />
          </>
        )}
      </>,
    ],
    ...optional(place.owner !== source, () => ['Belongs to', `${place.owner}, which has not sent it yet`]),
    ...optional(place.attribution !== null, () => ['Attribution', place.attribution]),
  ];
};

interface Props {
  readonly entityId: string;
  /** Where it is in the list, if it was found. */
  readonly found: PlaceSearchResult | undefined;
  readonly hasDistance: boolean;
  readonly backHref: string;
  readonly nearHref: (point: string) => string;
  /** Called when the place is known, so that the map can show it. */
  readonly onKnown: (place: Entity) => void;
}

const Labels = ({ place: { category, status, synthetic } }: { readonly place: Entity }) => {
  const closure = closures[status];
  return (
    <p class="labels">
      {spaced(category)} {closure !== undefined && <StatusBadge tone={closure.tone}>{closure.label}</StatusBadge>}{' '}
      {synthetic && <StatusBadge tone="warn">synthetic: no such place exists</StatusBadge>}
    </p>
  );
};

export const PlaceDetails = ({ entityId, found, hasDistance, backHref, nearHref, onKnown }: Props) => {
  const place = useResource(getEntity({ entity_id: entityId }));
  const heading = useRef<HTMLHeadingElement>(null);
  const known = place.isOld ? undefined : place.content;
  useEffect(() => heading.current?.focus(), [entityId]);
  useEffect(() => {
    if (known !== undefined) onKnown(known);
  }, [known]);
  return (
    <section class="place-details" aria-label="Details">
      <a href={backHref}>← All places</a>
      <h2 ref={heading} tabIndex={-1}>
        {known?.name ?? found?.name ?? entityId}
      </h2>
      <AsyncContent source={{ ...place, content: known }} rows={5}>
        {(entity) => (
          <>
            <Labels place={entity} />
            {found !== undefined && hasDistance && (
              <p class="below">{distanceOf(found.distance_m)} from the search point</p>
            )}
            {found?.explanation !== undefined && <Explanation explanation={found.explanation} />}
            <div class="actions">
              <a class="button small" href={nearHref(pointText(entity))}>
                Search near it
              </a>
              <CopyButton text={entityId} label="Copy the id" />
              {hasScope('platform:read') && (
                <a class="button quiet small" href={streamPath(`geo.place-${ownTenant()}.${entityId}`)}>
                  Stream
                </a>
              )}
            </div>
            <dl class="facts">
              {factsOf(entity).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </AsyncContent>
    </section>
  );
};
