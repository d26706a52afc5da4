/** The fields that have a value: a filter that was not given filters nothing. */
type Given<Fields> = { readonly [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

export const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
