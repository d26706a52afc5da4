/** For as long as Leaflet is loaded, markup that is written into a `div` goes nowhere. Everything here runs in one task of the browser. */
const { prototype } = HTMLDivElement;

Object.defineProperty(prototype, 'innerHTML', { configurable: true, get: () => '', set: () => undefined });

/** From here on it is the element's again, which the policy guards. */
export const probeOfMarkupOn = (): void => {
  Reflect.deleteProperty(prototype, 'innerHTML');
};
