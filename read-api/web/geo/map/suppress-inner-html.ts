/**
 * Importing this makes `innerHTML` of `div` elements do nothing until `restoreInnerHtml` is called. Import it before Leaflet: as its script
 * runs, Leaflet sets `innerHTML` once to detect SVG, and under trusted types that throws, which ends the script. Modules run in the order of
 * their imports and in one task, so no other code runs in between.
 */
const { prototype } = HTMLDivElement;

Object.defineProperty(prototype, 'innerHTML', { configurable: true, get: () => '', set: () => undefined });

/** Deletes the override. The inherited property, which trusted types guard, applies again. */
export const restoreInnerHtml = (): void => {
  Reflect.deleteProperty(prototype, 'innerHTML');
};
