/** Coordinates of GeoJSON are degrees of WGS 84 (RFC 7946). `crs` is of its predecessor, and many tools write it still. */

/** Names that tools write for degrees of WGS 84, longitude first. */
const wgs84 =
  /^(?:urn:(?:x-)?ogc:def:crs:(?:OGC:[\d.]*:CRS84h?|EPSG:[\d.]*:(?:4326|4979))|EPSG:(?:4326|4979)|(?:OGC:)?CRS84h?|https?:\/\/www\.opengis\.net\/def\/crs\/(?:OGC\/[\d.]+\/CRS84h?|EPSG\/[\d.]+\/(?:4326|4979)))$/i;

type Fields = { readonly [field: string]: unknown };

/** `null` and an absent `crs` name no other system. One that is linked is not known. */
export const isWgs84 = (crs: unknown): boolean => {
  if (crs === null || crs === undefined) return true;
  const { type, properties } = crs as Fields;
  const name = typeof properties === 'object' && properties !== null ? (properties as Fields).name : undefined;
  return type === 'name' && typeof name === 'string' && wgs84.test(name);
};

export const projected =
  "The file's crs is not WGS 84: GeoJSON has degrees of longitude and latitude. Convert it, as ogr2ogr does with -t_srs EPSG:4326.";
