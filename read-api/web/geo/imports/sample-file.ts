/** A file of places to try an import with: places that everybody knows, with coordinates to about a hundred meters. */

const columns = 'entity_id,name,category,lat,lng,address.locality,address.country';
const places = [
  'eiffel-tower,Eiffel Tower,monument,48.8584,2.2945,Paris,FR',
  'louvre,Louvre,museum,48.8606,2.3376,Paris,FR',
  'notre-dame,Notre-Dame,church,48.8530,2.3499,Paris,FR',
  'luxembourg-garden,Luxembourg Garden,park,48.8462,2.3372,Paris,FR',
  'colosseum,Colosseum,monument,41.8902,12.4922,Rome,IT',
  'pantheon,Pantheon,monument,41.8986,12.4769,Rome,IT',
  'trevi-fountain,Trevi Fountain,monument,41.9009,12.4833,Rome,IT',
  'sagrada-familia,Sagrada Família,church,41.4036,2.1744,Barcelona,ES',
  'park-guell,Park Güell,park,41.4145,2.1527,Barcelona,ES',
  'belem-tower,Belém Tower,monument,38.6916,-9.2160,Lisbon,PT',
  'jeronimos-monastery,Jerónimos Monastery,church,38.6979,-9.2068,Lisbon,PT',
  'brandenburg-gate,Brandenburg Gate,monument,52.5163,13.3777,Berlin,DE',
  'tower-bridge,Tower Bridge,bridge,51.5055,-0.0754,London,GB',
  'british-museum,British Museum,museum,51.5194,-0.1270,London,GB',
  'acropolis,Acropolis,monument,37.9715,23.7257,Athens,GR',
  'statue-of-liberty,Statue of Liberty,monument,40.6892,-74.0445,New York,US',
  'central-park,Central Park,park,40.7829,-73.9654,New York,US',
  'golden-gate-bridge,Golden Gate Bridge,bridge,37.8199,-122.4783,San Francisco,US',
  'sydney-opera-house,Sydney Opera House,theatre,-33.8568,151.2153,Sydney,AU',
  'tokyo-tower,Tokyo Tower,monument,35.6586,139.7454,Tokyo,JP',
];

export const sampleCount = places.length;
export const sampleName = 'sample-places.csv';
const text = `${[columns, ...places].join('\n')}\n`;

/** The same each time, so that an upload that was interrupted continues. */
export const sampleFile = (): File => new File([text], sampleName, { type: 'text/csv', lastModified: 0 });
export const sampleHref = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;

export const sampleSettings = {
  source: 'sample',
  category: null,
  attribution: null,
  synthetic: false,
  mapping: null,
} as const;
