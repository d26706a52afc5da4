/** A row's hash, its fields decoded from JSON. */
export const rowOf = (fields: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, JSON.parse(value)]));
