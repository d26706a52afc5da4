/**
 * Leaflet, loaded under the console's policy. Leaflet writes markup into an element when it is loaded, to learn whether the browser knows SVG;
 * trusted types refuse that, and the refusal would end its script. Nothing else that is used of it makes markup of text.
 */
import './probe-of-markup-off';
import * as leaflet from 'leaflet';
import { probeOfMarkupOn } from './probe-of-markup-off';

probeOfMarkupOn();
(leaflet as { readonly noConflict?: () => unknown }).noConflict?.();

export const { circle, circleMarker, geoJSON, latLng, latLngBounds, layerGroup, map, svg } = leaflet;
