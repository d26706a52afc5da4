/** Leaflet, loaded under the console's policy. What the map uses of it makes no markup of text. */
import './suppress-inner-html';
import * as leaflet from 'leaflet';
import { restoreInnerHtml } from './suppress-inner-html';

restoreInnerHtml();
(leaflet as { readonly noConflict?: () => unknown }).noConflict?.();

export const { circle, circleMarker, geoJSON, latLng, latLngBounds, layerGroup, map, svg } = leaflet;
