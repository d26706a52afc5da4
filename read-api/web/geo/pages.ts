/** The page with the map. One chunk, loaded with it. */
export { PlacesPage } from './search/places-page';
