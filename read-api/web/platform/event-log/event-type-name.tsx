/** Event type with emphasis on its name; context and version are dimmed. */
const shape = /^(.+\.)?([^.]+)(\.v\d+)?$/;

const partsOf = (type: string): readonly [before: string, name: string, version: string] => {
  const versioned = /^(.*)(\.v\d+)$/.exec(type);
  const [, plain = type, version = ''] = versioned ?? [];
  const [, before = '', name = plain] = shape.exec(plain) ?? [];
  return [before, name, version];
};

export const EventTypeName = ({ type }: { readonly type: string }) => {
  const [before, name, version] = partsOf(type);
  return (
    <span>
      <span class="faint">{before}</span>
      {name}
      <span class="faint">{version}</span>
    </span>
  );
};
