/** The map of a search. Whatever it shows stands in the list, too; its text names the part of the world. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { countOf } from '../../kernel/format';
import { degreesOf, distanceOf } from '../labels';
import { type Box, type Point, scaleLength } from './area';
import { type Circle, type MapContent, type MapView, openWorldMap, type WorldMap } from './world-map';

interface Props extends MapContent {
  /** The map goes there when this changes. */
  readonly area: Box | Circle | undefined;
  readonly onView: (view: MapView, byPerson: boolean) => void;
  readonly onPoint: (point: Point) => void;
  readonly onPlace: (entityId: string) => void;
}

const keyOf = (area: Box | Circle | undefined): string => JSON.stringify(area ?? null);

const sentenceOf = (count: number, view: MapView | undefined): string => {
  const where =
    view === undefined
      ? ''
      : ` It shows latitudes ${degreesOf(view.south)} to ${degreesOf(view.north)} and longitudes ${degreesOf(view.west)} to ${degreesOf(view.east)}.`;
  return `${countOf(count, 'place')}, the same as in the list.${where}`;
};

/** In meters per pixel. Closer, places at a coast may be drawn in the sea. */
const coarseOutlineView = 200;

/** At most this many pixels. */
const scaleWidth = 96;

const Scale = ({ metersPerPixel }: Pick<MapView, 'metersPerPixel'>) => {
  const length = scaleLength(scaleWidth * metersPerPixel);
  return (
    <p class="map-scale">
      <span class="hidden-text">Scale: </span>
      <span class="line" style={{ width: `${Math.round(length / metersPerPixel)}px` }}>
        {distanceOf(length)}
      </span>
    </p>
  );
};

export const PlaceMap = (props: Props) => {
  const { area, places, selected, circle, point } = props;
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const world = useRef<WorldMap | null>(null);
  const [view, setView] = useState<MapView>();
  const [outlines, setOutlines] = useState<'loading' | 'drawn' | 'missing'>('loading');
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (element.current === null) return undefined;
    const opened = openWorldMap(element.current, {
      onView: (next, byPerson) => {
        setView(next);
        latest.current.onView(next, byPerson);
      },
      onPoint: (at) => latest.current.onPoint(at),
      onPlace: (entityId) => latest.current.onPlace(entityId),
      onOutlines: setOutlines,
    });
    world.current = opened;
    return () => {
      world.current = null;
      opened.close();
    };
  }, []);
  useEffect(() => {
    if (area !== undefined) world.current?.fit(area);
  }, [keyOf(area)]);
  useEffect(
    () => world.current?.show({ places, selected, circle, point }),
    [places, selected, keyOf(circle), point?.lat, point?.lng],
  );
  return (
    <figure class="map" aria-label="Map">
      <div
        ref={element}
        class="map-canvas"
        role="application"
        aria-label="Map: arrow keys move it, plus and minus zoom"
        aria-describedby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved by keys.
        tabIndex={0}
      />
      <div class="map-buttons">
        <button type="button" class="button small" aria-label="Zoom in" onClick={() => world.current?.zoom(1)}>
          <span aria-hidden="true">+</span>
        </button>
        <button type="button" class="button small" aria-label="Zoom out" onClick={() => world.current?.zoom(-1)}>
          <span aria-hidden="true">−</span>
        </button>
      </div>
      {outlines !== 'drawn' && (
        <p class="map-state" role="status">
          {outlines === 'loading'
            ? 'Loading the map…'
            : 'Land and borders could not be loaded. Places still show where they are.'}
        </p>
      )}
      {view !== undefined && <Scale metersPerPixel={view.metersPerPixel} />}
      <p id={id} class="hidden-text">
        {sentenceOf(places.length, view)}
      </p>
      <figcaption class="help">
        Click on the map to search around a point. Land and borders: Natural Earth
        {view !== undefined && view.metersPerPixel < coarseOutlineView && '. At this zoom, coastlines are approximate'}.
      </figcaption>
    </figure>
  );
};
