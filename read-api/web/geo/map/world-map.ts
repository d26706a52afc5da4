/** A map of the world on an element of the page: outlines, places, and the area that is searched. Colours are classes of the style sheet. */
import type { LayerGroup, Map as LeafletMap, PathOptions } from 'leaflet';
import type { PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { type Box, nearestLongitude, type Point } from './area';
import { circle, circleMarker, geoJSON, latLng, latLngBounds, layerGroup, map, svg } from './leaflet';
import { loadOutlines } from './outlines';

export interface Circle extends Point {
  readonly meters: number;
}

export interface MapContent {
  readonly places: readonly PlaceSearchResult[];
  /** The id of one of them. */
  readonly selected: string;
  readonly circle: Circle | undefined;
  readonly point: Point | undefined;
}

export interface MapView extends Box {
  /** At the middle. */
  readonly metersPerPixel: number;
}

interface Listeners {
  /** `byPerson`: not by `fit`, nor because the page's size changed. */
  readonly onView: (view: MapView, byPerson: boolean) => void;
  readonly onPoint: (point: Point) => void;
  readonly onPlace: (entityId: string) => void;
  /** Land and borders are drawn, or could not be loaded. */
  readonly onOutlines: (outcome: 'drawn' | 'missing') => void;
}

export interface WorldMap {
  readonly show: (content: MapContent) => void;
  readonly fit: (area: Box | Circle) => void;
  readonly zoom: (steps: 1 | -1) => void;
  readonly close: () => void;
}

const closestZoom = 18;
/** The world is shown three times side by side, so that the antimeridian is no edge. */
const turns = [-360, 0, 360] as const;
const still: PathOptions = { interactive: false };

const drawOutlines = async (world: LeafletMap, isClosed: () => boolean): Promise<void> => {
  const { land, borders } = await loadOutlines();
  if (isClosed()) return;
  world.getContainer().classList.add('has-land');
  for (const turn of turns) {
    const coordsToLatLng = ([lng = 0, lat = 0]: readonly number[]) => latLng(lat, lng + turn);
    for (const [outline, className] of [
      [borders, 'map-border'],
      [land, 'map-land'],
    ] as const)
      geoJSON(outline, { ...still, coordsToLatLng, style: { className } })
        .addTo(world)
        .bringToBack();
  }
};

/** As an element: Leaflet would make markup of a text. */
const nameOf = ({ name }: PlaceSearchResult): HTMLElement => {
  const label = document.createElement('span');
  label.textContent = name;
  return label;
};

const draw = (marks: LayerGroup, { places, selected, circle: area, point }: MapContent, middle: number): void => {
  const at = ({ lat, lng }: Point) => latLng(lat, nearestLongitude(lng, middle));
  marks.clearLayers();
  if (area !== undefined) circle(at(area), { ...still, radius: area.meters, className: 'map-circle' }).addTo(marks);
  if (point !== undefined) circleMarker(at(point), { ...still, radius: 4, className: 'map-point' }).addTo(marks);
  // The selected one lies above the others.
  for (const place of places.toSorted(
    (one, other) => Number(one.entity_id === selected) - Number(other.entity_id === selected),
  )) {
    const isSelected = place.entity_id === selected;
    const options = { radius: isSelected ? 10 : 7, className: isSelected ? 'map-place selected' : 'map-place' };
    circleMarker(at(place), { ...options, bubblingMouseEvents: false })
      .bindTooltip(nameOf(place), { direction: 'top', offset: [0, -8], permanent: isSelected })
      .on('click', () => marks.fire('place', { entityId: place.entity_id }))
      .addTo(marks);
  }
};

const viewOf = (world: LeafletMap): MapView => {
  const bounds = world.getBounds();
  const size = world.getSize();
  const row = [world.containerPointToLatLng([0, size.y / 2]), world.containerPointToLatLng([100, size.y / 2])] as const;
  return {
    south: bounds.getSouth(),
    west: bounds.getWest(),
    north: bounds.getNorth(),
    east: bounds.getEast(),
    metersPerPixel: world.distance(...row) / 100,
  };
};

const boundsOf = (area: Box | Circle) =>
  'meters' in area
    ? latLng(area.lat, area.lng).toBounds(area.meters * 2)
    : latLngBounds([area.south, area.west], [area.north, area.east]);

export const openWorldMap = (element: HTMLElement, { onView, onPoint, onPlace, onOutlines }: Listeners): WorldMap => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const world = map(element, {
    attributionControl: false,
    zoomControl: false,
    zoomAnimation: !isStill,
    inertia: !isStill,
    renderer: svg({ padding: 0.5 }),
    minZoom: 1,
    maxZoom: closestZoom,
    worldCopyJump: true,
    maxBounds: latLngBounds([-90, Number.NEGATIVE_INFINITY], [90, Number.POSITIVE_INFINITY]),
    maxBoundsViscosity: 1,
  });
  const marks = layerGroup().addTo(world);
  let content: MapContent = { places: [], selected: '', circle: undefined, point: undefined };
  let isOurs = false;
  let isClosed = false;
  /** Undefined once the person has moved the map. */
  let fitted: Box | Circle | undefined;
  const ours = (move: () => void): void => {
    isOurs = true;
    move();
    isOurs = false;
  };
  const redraw = (): void => draw(marks, content, world.getCenter().lng);
  const fitArea = (area: Box | Circle): void =>
    ours(() => world.fitBounds(boundsOf(area), { animate: false, maxZoom: 16 }));
  world.on('moveend', () => {
    if (!isOurs) fitted = undefined;
    redraw();
    onView(viewOf(world), !isOurs);
  });
  world.on('click', ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    onPoint({ lat, lng });
  });
  marks.on('place', (event) => onPlace((event as unknown as { readonly entityId: string }).entityId));
  ours(() => world.setView([20, 0], 1, { animate: false }));
  const observer = new ResizeObserver(() => {
    ours(() => world.invalidateSize({ animate: false, pan: false }));
    if (fitted !== undefined) fitArea(fitted);
  });
  observer.observe(element);
  // Without outlines, places still show where they are.
  drawOutlines(world, () => isClosed).then(
    () => isClosed || onOutlines('drawn'),
    () => isClosed || onOutlines('missing'),
  );
  return {
    show: (next) => {
      content = next;
      redraw();
    },
    fit: (area) => {
      fitted = area;
      fitArea(area);
    },
    zoom: (steps) => void world.setZoom(world.getZoom() + steps),
    close: () => {
      isClosed = true;
      observer.disconnect();
      world.remove();
    },
  };
};
